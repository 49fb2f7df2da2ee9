import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { createIndirection, type Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'
import { createCustomTerminus } from './custom-terminus.ts'
import { callPlugIn } from './plug-in-call.ts'
import type { PlugIn } from './plug-in-files.ts'

/** Request to a custom indirection, with the body of a POST. */
export interface CustomRequest extends Request {
  readonly body?: Uint8Array | undefined
}

/** A custom indirection from a plug-in. */
export interface CustomIndirection {
  readonly name: string
  /** Media type of models that are text or bytes; JSON if undefined. */
  readonly type: string | undefined
  readonly models: Indirection<unknown, CustomRequest>
}

const issues = defineIssues({
  INDIRECTION_TAKEN: {
    text: (a: { path: string; name: string }) =>
      `The plug-in ${a.path} has the name of an existing indirection: ${a.name}`,
  },
  INDIRECTION_TERMINI: {
    text: (a: { name: string; folder: string }) =>
      `The indirection ${a.name} has more than one terminus in ${a.folder}`,
    hint: () => 'A custom indirection has one terminus. Move the other files out of the directory.',
  },
})

/** Names below /puppet/v3 reserved by the server or by Puppet. */
const taken: ReadonlySet<string> = new Set([
  ...['catalog', 'node', 'facts', 'report', 'file_metadata', 'file_content', 'file_bucket_file', 'static_file_content'],
  ...['environment', 'environments', 'environment_classes', 'environment_modules', 'environment_transports'],
  ...[
    'task',
    'tasks',
    'plan',
    'plans',
    'compile',
    'status',
    'resource',
    'resource_type',
    'data_binding',
    'instrumentation',
  ],
  ...['certificate', 'certificate_request', 'certificate_revocation_list', 'key', 'run'],
])

/**
 * True if a custom indirection must not have this name, including its plural: searches append `s`.
 */
export function isReservedIndirection(name: string): boolean {
  return taken.has(name) || taken.has(`${name}s`) || (name.endsWith('s') && taken.has(name.slice(0, -1)))
}

/**
 * Returns the only plug-in in an indirection's folder of Ruby termini. Throws INDIRECTION_TERMINI if the folder
 * contains several.
 */
export function requireSingleTerminus(plugIns: readonly PlugIn[], name: string, folder: string): readonly PlugIn[] {
  if (plugIns.length > 1)
    throwIssue(issues.INDIRECTION_TERMINI, { name, folder: join(folder, 'puppet/indirector', name) })
  return plugIns.map((plugIn) => ({ ...plugIn, name }))
}

/**
 * Creates the custom indirections, each named like its file. Throws INDIRECTION_TAKEN,
 * PLUG_IN_LACKS.
 */
export async function createCustomIndirections(
  plugIns: readonly PlugIn[],
  settings: object,
): Promise<readonly CustomIndirection[]> {
  const names = new Set<string>()
  for (const { name, path } of plugIns) {
    const isTwice = names.has(name) || names.has(`${name}s`) || names.has(name.replace(/s$/, ''))
    if (isTwice || isReservedIndirection(name)) throwIssue(issues.INDIRECTION_TAKEN, { path, name })
    names.add(name)
  }
  return Promise.all(
    plugIns.map((plugIn) => callPlugIn(plugIn.path, 'create', () => createCustomIndirection(plugIn, settings))),
  ) as Promise<readonly CustomIndirection[]>
}

function createCustomIndirection(plugIn: PlugIn, settings: object): CustomIndirection {
  const { name, path, exports } = plugIn
  const doc = `The plug-in ${path}.`
  const asIs = { read: (given: unknown) => given, show: (model: unknown) => model }
  const create = () =>
    createCustomTerminus<unknown, CustomRequest>(
      plugIn,
      { settings },
      { ...asIs, more: ({ body }) => (body ? { body } : {}) },
    )
  const definition = { name, doc, termini: { own: { doc, create } } }
  const type = typeof exports['type'] === 'string' ? exports['type'] : undefined
  return { name, type, models: createIndirection(definition, undefined, { terminus: 'own' }) }
}
