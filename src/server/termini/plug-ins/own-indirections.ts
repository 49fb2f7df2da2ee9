import { join } from 'node:path'
import { defineIssues, fail } from '../../../base/issue.ts'
import { createIndirection, type Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'
import { askPlugIn } from './ask-plug-in.ts'
import { ownTerminus } from './own-terminus.ts'
import type { PlugIn } from './plug-in-files.ts'

/** A request to an indirection of the owner's; the body of one that came by POST. */
export interface OwnRequest extends Request {
  readonly body?: Uint8Array | undefined
}

/** An indirection of the server's owner: models that the rest of the server knows nothing of. */
export interface OwnIndirection {
  readonly name: string
  /** The media type of models that are text or bytes; JSON without one. */
  readonly type: string | undefined
  readonly models: Indirection<unknown, OwnRequest>
}

const issues = defineIssues({
  INDIRECTION_TAKEN: {
    text: (a: { path: string; name: string }) =>
      `The plug-in ${a.path} has the name of an indirection that there is: ${a.name}`,
  },
  INDIRECTION_TERMINI: {
    text: (a: { name: string; folder: string }) =>
      `The indirection ${a.name} has more than one terminus in ${a.folder}`,
    hint: () => 'An indirection of your own has one: the file that is not to be used stands elsewhere.',
  },
})

/** Names below /puppet/v3 that the server or Puppet has a meaning for. */
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

/** True of a name that no indirection of an owner's may have: searches add an `s`. */
export function isTakenIndirection(name: string): boolean {
  return taken.has(name) || taken.has(`${name}s`) || (name.endsWith('s') && taken.has(name.slice(0, -1)))
}

/** The one plug-in of the folder of an indirection's termini in Ruby. Throws INDIRECTION_TERMINI. */
export function onlyTerminus(plugIns: readonly PlugIn[], name: string, folder: string): readonly PlugIn[] {
  if (plugIns.length > 1) fail(issues.INDIRECTION_TERMINI, { name, folder: join(folder, 'puppet/indirector', name) })
  return plugIns.map((plugIn) => ({ ...plugIn, name }))
}

/** Indirections of plug-ins, each named as its file. Throws INDIRECTION_TAKEN, PLUG_IN_LACKS. */
export async function ownIndirections(
  plugIns: readonly PlugIn[],
  settings: object,
): Promise<readonly OwnIndirection[]> {
  const names = new Set<string>()
  for (const { name, path } of plugIns) {
    const isTwice = names.has(name) || names.has(`${name}s`) || names.has(name.replace(/s$/, ''))
    if (isTwice || isTakenIndirection(name)) fail(issues.INDIRECTION_TAKEN, { path, name })
    names.add(name)
  }
  return Promise.all(
    plugIns.map((plugIn) => askPlugIn(plugIn.path, 'create', () => ownIndirection(plugIn, settings))),
  ) as Promise<readonly OwnIndirection[]>
}

function ownIndirection(plugIn: PlugIn, settings: object): OwnIndirection {
  const { name, path, exports } = plugIn
  const doc = `The plug-in ${path}.`
  const asIs = { read: (given: unknown) => given, show: (model: unknown) => model }
  const create = () =>
    ownTerminus<unknown, OwnRequest>(plugIn, { settings }, { ...asIs, more: ({ body }) => (body ? { body } : {}) })
  const definition = { name, doc, termini: { own: { doc, create } } }
  const type = typeof exports['type'] === 'string' ? exports['type'] : undefined
  return { name, type, models: createIndirection(definition, undefined, { terminus: 'own' }) }
}
