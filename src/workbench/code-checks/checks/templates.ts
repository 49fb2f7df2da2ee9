import type { CodeFile } from '../../code-index/code-file.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import type { CodeCheck, ReportProblem } from '../code-check.ts'

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
  const name = code.workspace.getTemplateName(file.path)
  const calls = name === undefined ? [] : code.templates.findCalls(name)
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

function checkErbCalls(file: CheckedFile, code: CheckedCode, report: ReportProblem): void {
  const seen = new Set<string>()
  for (const { node } of file.listNodes('CallNamedFunction')) {
    if (node.functor.kind !== 'QualifiedName' || node.functor.value !== 'template') continue
    for (const each of node.arguments) {
      if (each.kind !== 'LiteralString' || seen.has(each.value)) continue
      seen.add(each.value)
      for (const name of code.templates.listUnset(each.value))
        report(`the template '${each.value}' reads '@${name}', which is not set here`, each.span)
    }
  }
}
