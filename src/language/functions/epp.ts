import { LRUCache } from 'lru-cache'
import { formatSourceLocation, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Source, SourceSpan } from '../../base/source.ts'
import { renderEpp } from '../evaluator/render-epp.ts'
import type { CallContext } from '../host.ts'
import type { Program } from '../syntax/tree/nodes.ts'
import { parseAndValidate } from '../syntax/validation/validate.ts'
import type { Hash } from '../values/hash.ts'
import type { Value } from '../values/value.ts'
import { defineFunction } from './definition/define-function.ts'
import { functionIssues } from './definition/issues.ts'
import { findPath } from './files.ts'

/**
 * `epp`: renders `MODULE/FILE` (`.epp` is optional) or an absolute path. The template sees global variables and its
 * parameters.
 */
export const epp = defineFunction('epp', 'Renders an EPP template file with parameters.', {
  'String $path, Hash[Pattern[/^\\w+$/], Any] $parameters? >> Variant[String, Sensitive[String]]': (
    name: string,
    parameters: Hash | undefined,
    context: CallContext,
  ) => {
    const { profile } = context.host
    return profile
      ? profile.measure('template', name, () => renderFile(name, parameters, context))
      : renderFile(name, parameters, context)
  },
})

/** `inline_epp`: renders a string; the template sees its caller's variables. */
export const inlineEpp = defineFunction('inline_epp', 'Renders an EPP template given as a string.', {
  'String $template, Hash[Pattern[/^\\w+$/], Any] $parameters? >> Variant[String, Sensitive[String]]': (
    text: string,
    parameters: Hash | undefined,
    context: CallContext,
  ) => {
    const { host, span } = context
    return host.profile
      ? host.profile.measure('template', formatInlineTemplate('inline_epp', span), () =>
          renderText(text, parameters, context),
        )
      : renderText(text, parameters, context)
  },
})

/** Names the template of an inline function in a profile. */
export function formatInlineTemplate(name: string, span: SourceSpan | undefined): string {
  return span ? `${name} ${formatSourceLocation(span)}` : name
}

function renderFile(name: string, parameters: Hash | undefined, context: CallContext): Value {
  return renderEpp({ name: 'epp', template: loadTemplate(name, context), parameters, sees: 'global' }, context)
}

function renderText(text: string, parameters: Hash | undefined, context: CallContext): Value {
  const template = parseTemplate('inline_epp', { file: 'inlined-epp-text', text })
  return renderEpp({ name: 'inline_epp', template, parameters, sees: 'caller' }, context)
}

/** Parsed templates by file name and text; shared between commits. */
const templates = new LRUCache<string, Program>({ max: 1000 })

function loadTemplate(given: string, { host: { files } }: CallContext): Program {
  const name = given.endsWith('.epp') ? given : `${given}.epp`
  for (const candidate of given.startsWith('/') ? [given, name] : [name]) {
    const path = findPath(files, 'templates', candidate)
    const text = path === undefined ? undefined : files.readText(path)
    if (path !== undefined && text !== undefined) return parseTemplate('epp', { file: path, text })
  }
  return throwIssue(functionIssues.MISSING_TEMPLATE, { name })
}

function parseTemplate(name: string, source: Source): Program {
  const key = `${source.file}\0${source.text}`
  const known = templates.get(key)
  if (known) return known
  try {
    const template = parseAndValidate(source, { epp: true }).program
    templates.set(key, template)
    return template
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return throwIssue(functionIssues.INVALID_EPP, { name, detail: error.message })
  }
}
