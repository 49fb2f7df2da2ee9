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
  const templateNamed = templatesOf(session)
  return new Map([
    [
      'template',
      defineLegacyFunction(
        'template',
        'The text of ERB templates, by `MODULE/FILE` names or absolute paths.',
        -2,
        (args, context) => args.map((name) => rendered(session, name, templateNamed(name), context)).join(''),
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

/** A template of a module's. */
interface Template {
  readonly path: string
  readonly isText: boolean
  /** Where what it gives is known from; none for one that may look at other things than answers. */
  readonly rendering: Rendering | undefined
}

/** What a template's name stands for in a catalog; `undefined` where there is none: Ruby says what is wrong. */
function templatesOf(session: RubySession): (name: Value) => Template | undefined {
  const found = new Map<Value, Template>()
  return (name) => {
    const known = found.get(name)
    if (known) return known
    const template = templateOf(session, name)
    if (template) found.set(name, template)
    return template
  }
}

function templateOf({ host: { files }, surroundings }: RubySession, name: Value): Template | undefined {
  const path = typeof name === 'string' && !name.startsWith('/') ? files.findInModule('templates', name) : undefined
  const id = path === undefined ? undefined : files.contentId(path)
  if (path === undefined || id === undefined) return undefined
  const { isText, looksAround } = known.get(id) ?? described(id, files.readBytes(path)!)
  // Of each environment: what its manifests have Ruby run may change what a template of all environments gives.
  const key = [surroundings.environment, surroundings.rubyDigest, path, id].join('\0')
  const rendering = looksAround ? undefined : new Rendering(key)
  return { path, isText, rendering }
}

function rendered(session: RubySession, name: Value, template: Template | undefined, context: CallContext): string {
  const scope = session.numberOf(context.scope)
  if (!template)
    return session.rendered(undefined, context, () => toText(session.run('template', [scope, [name]], context)))
  const { path, isText, rendering } = template
  return session.rendered(rendering, context, () => {
    const text = isText ? session.host.files.readText(path)! : undefined
    return toText(session.run('render', [scope, name, path, text], context))
  })
}

/** What is not UTF-8 Ruby takes as it is, from the file. */
function described(id: string, bytes: Uint8Array) {
  const isText = isUtf8(bytes)
  const about = { isText, looksAround: !isText || mayLookAround(Buffer.from(bytes).toString()) }
  known.set(id, about)
  return about
}
