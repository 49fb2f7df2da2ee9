import type { ProviderDefinition } from '../../provider.ts'
import { type ContextPart, contextParts, findContexts, type SelinuxContext, type SelinuxContexts } from './contexts.ts'
import type { FileAttributes, FileState, FileWork } from './file-state.ts'

/** SELinux contexts for a file on a file system that stores contexts; otherwise undefined. */
async function findManagedContexts(work: FileWork): Promise<SelinuxContexts | undefined> {
  const contexts = await findContexts(work)
  return contexts?.isLabelled(work.resource.name) ? contexts : undefined
}

/** The parts of the file's context. Parts not set in the manifest default to the policy's values. */
export async function readContext(work: FileWork): Promise<Partial<SelinuxContext>> {
  const { resource, state, log } = work
  const contexts = await findManagedContexts(work)
  if (!contexts) return {}
  const usual = resource.get('selinux_ignore_defaults')
    ? undefined
    : await contexts.usual(resource.name, resource.get('ensure'))
  for (const part of contextParts) {
    const value = usual?.[part]
    if (value === undefined || resource.has(part)) continue
    log('debug', `Found ${part} default '${value}' for ${resource.name}`, part)
    resource.put(part, value)
  }
  const isManaged = contextParts.some((part) => resource.reads(part))
  return (isManaged && state.stat && (await contexts.current(resource.name, state.stat))) || {}
}

async function isContextInSync(work: FileWork, part: ContextPart, is: unknown): Promise<boolean> {
  const { resource, log } = work
  if (await findManagedContexts(work)) return is === resource.get(part)
  const why = (await findContexts(work)) ? 'SELinux not available for this filesystem.' : 'SELinux bindings not found.'
  log('debug', `${why} Ignoring parameter.`, part)
  return true
}

async function setContextPart(work: FileWork, part: ContextPart): Promise<void> {
  const value = work.resource.get(part)
  if (value !== undefined) await (await findManagedContexts(work))?.set(work, part, value)
}

/** Restores the desired context after a file was created. */
export async function restoreContext(work: FileWork): Promise<void> {
  const contexts = await findManagedContexts(work)
  const { resource, state } = work
  if (!contexts || !state.stat || !contextParts.some((part) => resource.has(part))) return
  const is = await contexts.current(resource.name, state.stat)
  for (const part of contextParts)
    if (resource.has(part) && is?.[part] !== resource.get(part)) await setContextPart(work, part)
}

type Functions = Required<Pick<ProviderDefinition<FileAttributes, FileState>, 'inSync' | 'set'>>

/** The functions of the properties `seluser`, `selrole`, `seltype` and `selrange`. */
export const contextFunctions: Functions = {
  inSync: Object.fromEntries(
    contextParts.map((part) => [part, (work: FileWork, is: unknown) => isContextInSync(work, part, is)]),
  ),
  set: Object.fromEntries(contextParts.map((part) => [part, (work: FileWork) => setContextPart(work, part)])),
}
