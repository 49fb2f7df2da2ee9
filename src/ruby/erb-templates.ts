import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { defineLegacyFunction } from '../language/functions/definition/legacy-function.ts'
import { formatInlineTemplate } from '../language/functions/epp.ts'
import type { CallContext } from '../language/host.ts'
import { toText } from '../language/types/printing/text.ts'
import type { Callable } from '../language/values/callable.ts'
import type { Value } from '../language/values/value.ts'
import type { RubySession } from './session/session.ts'
import type { TracedCode } from './session/traced/traced-code.ts'

/** Returns `template` and `inline_template`, which render ERB. */
export function createTemplateFunctions(session: RubySession): ReadonlyMap<string, Callable> {
  const templateNamed = createTemplateLookup(session)
  return new Map([
    [
      'template',
      defineLegacyFunction(
        'template',
        'Renders ERB templates, given by `MODULE/FILE` names or absolute paths.',
        -2,
        (args, context) => args.map((name) => renderMeasured(session, name, templateNamed(name), context)).join(''),
      ),
    ],
    [
      'inline_template',
      defineLegacyFunction('inline_template', 'Renders ERB templates given as strings.', -2, (args, context) =>
        args.map((text) => renderInlineMeasured(session, text, context)).join(''),
      ),
    ],
  ])
}

/** A template in a module. */
interface Template {
  readonly path: string
  /** Text of the template; undefined if it is not UTF-8, in which case Ruby reads the file itself. */
  readonly text: string | undefined
  readonly code: TracedCode | undefined
}

/**
 * Returns a function that finds a template by name, and caches it for one catalog. Returns `undefined` for a missing
 * template; Ruby reports the error.
 */
function createTemplateLookup(session: RubySession): (name: Value) => Template | undefined {
  const found = new Map<Value, Template>()
  return (name) => {
    const known = found.get(name)
    if (known) return known
    const template = findTemplate(session, name)
    if (template) found.set(name, template)
    return template
  }
}

function findTemplate({ host: { files }, calls }: RubySession, name: Value): Template | undefined {
  const path = typeof name === 'string' && !name.startsWith('/') ? files.findInModule('templates', name) : undefined
  const id = path === undefined ? undefined : files.contentId(path)
  if (path === undefined || id === undefined) return undefined
  const bytes = files.readBytes(path)!
  if (!isUtf8(bytes)) return { path, text: undefined, code: undefined }
  const text = Buffer.from(bytes).toString()
  return { path, text, code: calls.base.code(`template ${path} ${id}`, [], text) }
}

function renderMeasured(
  session: RubySession,
  name: Value,
  template: Template | undefined,
  context: CallContext,
): string {
  const { profile } = context.host
  return profile
    ? profile.measure('template', String(name), () => renderTemplate(session, name, template, context))
    : renderTemplate(session, name, template, context)
}

function renderTemplate(
  session: RubySession,
  name: Value,
  template: Template | undefined,
  context: CallContext,
): string {
  const scope = session.getScopeNumber(context.scope)
  const { path, text, code } = template ?? {}
  return toText(
    session.called({
      label: `template('${String(name)}')`,
      code,
      args: [],
      context,
      identifiedBy:
        path === undefined
          ? []
          : [
              { kind: 'find_file', args: ['templates', String(name)] },
              { kind: 'path', args: [path] },
            ],
      make: () =>
        path === undefined
          ? session.runForJson('template', [scope, [name]], context)
          : session.runForJson('render', [scope, name, path, text], context),
    }),
  )
}

function renderInlineMeasured(session: RubySession, text: Value, context: CallContext): string {
  const { host, span } = context
  return host.profile
    ? host.profile.measure('template', formatInlineTemplate('inline_template', span), () =>
        renderInlineTemplate(session, text, context),
      )
    : renderInlineTemplate(session, text, context)
}

function renderInlineTemplate(session: RubySession, text: Value, context: CallContext): string {
  const scope = session.getScopeNumber(context.scope)
  const id = typeof text === 'string' ? createHash('sha256').update(text).digest('base64') : undefined
  return toText(
    session.called({
      label: 'inline_template',
      code: id === undefined ? undefined : session.calls.base.code(`inline ${id}`, [], String(text)),
      args: [],
      context,
      make: () => session.runForJson('inline_template', [scope, [text]], context),
    }),
  )
}
