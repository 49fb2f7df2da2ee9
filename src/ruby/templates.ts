import { isUtf8 } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import { defineLegacyFunction } from '../language/functions/legacy-function.ts'
import type { CallContext } from '../language/host.ts'
import type { Callable } from '../language/values/callable.ts'
import { toText } from '../language/values/print.ts'
import type { Value } from '../language/values/value.ts'
import { mayLookAround, Rendering } from './rendering.ts'
import type { RubySession } from './session.ts'

/** `template` and `inline_template`, which render ERB. */
export function templateFunctions(session: RubySession): ReadonlyMap<string, Callable> {
  return new Map([
    [
      'template',
      defineLegacyFunction(
        'template',
        'The text of ERB templates, by `MODULE/FILE` names or absolute paths.',
        -2,
        (args, context) => args.map((name) => rendered(session, name, context)).join(''),
      ),
    ],
    [
      'inline_template',
      defineLegacyFunction(
        'inline_template',
        'The text of ERB templates that are given in place.',
        -2,
        (args, context) => session.run('inline_template', [session.numberOf(context.scope), args], context),
      ),
    ],
  ])
}

/** What is known of templates, by their content; shared by all that this thread compiles. */
const known = new LRUCache<string, { readonly isText: boolean; readonly looksAround: boolean }>({ max: 5000 })

function rendered(session: RubySession, name: Value, context: CallContext): string {
  const { files } = session.host
  const scope = session.numberOf(context.scope)
  const path = typeof name === 'string' && !name.startsWith('/') ? files.findInModule('templates', name) : undefined
  const id = path === undefined ? undefined : files.contentId(path)
  // Ruby says what is wrong with it.
  if (path === undefined || id === undefined)
    return session.rendered(undefined, context, () => toText(session.run('template', [scope, [name]], context)))
  const about = known.get(id) ?? describe(files.readBytes(path)!)
  known.set(id, about)
  const rendering = about.looksAround
    ? undefined
    : new Rendering([session.surroundings.rubyDigest, path, id].join('\0'))
  return session.rendered(rendering, context, () => {
    const text = about.isText ? files.readText(path)! : undefined
    return toText(session.run('render', [scope, name, path, text], context))
  })
}

/** What is not UTF-8 Ruby takes as it is, from the file. */
function describe(bytes: Uint8Array) {
  const isText = isUtf8(bytes)
  return { isText, looksAround: !isText || mayLookAround(Buffer.from(bytes).toString()) }
}
