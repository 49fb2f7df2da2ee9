import { join } from 'node:path'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { findVariableOwner } from '../code/inherited-variables.ts'
import type { CodeCheck, ReportProblem } from '../code-check.ts'
import { listErbVariables } from './erb-variables.ts'

/** Variables that templates read and no caller sets. ERB templates are reported at their calls. */
export const unsetTemplateVariable: CodeCheck = {
  name: 'unset_template_variable',
  check(file, code, report) {
    if (file.file.path.endsWith('.epp')) checkEpp(file, code, report)
    else checkErbCalls(file, code, report)
  },
}

function checkEpp({ file }: CheckedFile, code: CheckedCode, report: ReportProblem): void {
  const given = listEppArguments(file, code)
  if (!given) return
  const own = new Set(file.occurrences.filter(({ isDefinition }) => isDefinition).map(({ name }) => name))
  for (const { kind, name, span, isDefinition } of file.occurrences) {
    if (kind !== 'variable' || isDefinition || own.has(name) || /[@:]/.test(name)) continue
    const isGlobal = file.source.text.startsWith('::', span.start)
    if (!isGlobal && !given.has(name) && !code.topScope.has(name))
      report(`'$${name}' is not set in this template`, span)
  }
}

/** The variables that callers pass besides the parameters; undefined if they are not known. */
function listEppArguments(file: CodeFile, code: CheckedCode): ReadonlySet<string> | undefined {
  const body = file.program?.body
  const isSpecified = body?.kind === 'Lambda' && body.body.kind === 'Epp' && body.body.parametersSpecified
  if (isSpecified) return new Set()
  const name = getTemplateName(file, code)
  const calls = name === undefined ? [] : findCalls(name, code)
  if (!calls || calls.length === 0) return undefined
  const names = new Set<string>()
  for (const { call } of calls) {
    const [, hash] = call.arguments
    if (hash && hash.kind !== 'LiteralHash') return undefined
    for (const { key } of hash?.entries ?? []) {
      if (key.kind !== 'LiteralString' && key.kind !== 'QualifiedName') return undefined
      names.add(key.value)
    }
  }
  return names
}

function getTemplateName({ path }: CodeFile, { workspace }: CheckedCode): string | undefined {
  const module = workspace.moduleOf(path)
  const folder = module && join(module.folder, 'templates/')
  return folder !== undefined && path.startsWith(folder) ? `${module!.name}/${path.slice(folder.length)}` : undefined
}

/** The calls of a template; undefined if its name also occurs elsewhere, such as in a default. */
function findCalls(name: string, { uses }: CheckedCode) {
  const { templates, strings } = uses.names
  const names = name.endsWith('.epp') ? [name, name.slice(0, -4)] : [name]
  const calls = names.flatMap((each) => templates.get(each) ?? [])
  const occurrences = names.reduce((sum, each) => sum + (strings.get(each) ?? 0), 0)
  return occurrences === calls.length ? calls : undefined
}

function checkErbCalls(file: CheckedFile, code: CheckedCode, report: ReportProblem): void {
  for (const { node } of file.listNodes('CallNamedFunction')) {
    if (node.functor.kind !== 'QualifiedName' || node.functor.value !== 'template') continue
    for (const each of node.arguments) {
      if (each.kind !== 'LiteralString') continue
      const [module = '', ...rest] = each.value.split('/')
      const folder = code.workspace.modules.get(module)?.folder
      const calls = folder === undefined || rest.includes('..') ? undefined : findCalls(each.value, code)
      const text = calls && code.workspace.text(join(folder!, 'templates', ...rest))
      for (const name of text === undefined ? [] : listErbVariables(text))
        if (!code.topScope.has(name) && !calls!.some((call) => isSetAt(call.file, call.call.span.start, name, code)))
          report(`the template '${each.value}' reads '@${name}', which is not set here`, each.span)
    }
  }
}

/** True if the definition around an offset sets a variable, or a class that it inherits does. */
function isSetAt(file: CodeFile, offset: number, name: string, code: CheckedCode): boolean {
  const around = (file.program?.definitions ?? []).filter(({ span }) => span.start <= offset && offset < span.end)
  const own = around.sort((a, b) => b.span.start - a.span.start)[0]
  if (!own) return true
  const { start, end } = own.span
  const isOwn = file.occurrences.some(
    (each) =>
      each.kind === 'variable' &&
      each.isDefinition &&
      start <= each.span.start &&
      each.span.start < end &&
      each.name.replace(/@\d+$/, '').split('::').at(-1) === name,
  )
  if (isOwn || own.kind !== 'HostClassDefinition' || own.parentClass === undefined) return isOwn
  return findVariableOwner(code, own.parentClass.toLowerCase().replace(/^::/, ''), name, file) !== 'none'
}
