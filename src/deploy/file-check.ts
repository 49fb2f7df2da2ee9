import { createDiagnostic, type Diagnostic, defineIssues, hasIssueCode, PuppetError } from '../base/issue.ts'
import type { Source } from '../base/source.ts'
import { readEnvironmentConf } from '../code/environments/environment-conf.ts'
import { parseHieraConfig } from '../compiler/hiera/config.ts'
import { parseSopsFile } from '../compiler/hiera/sops/sops-file.ts'
import { parsePolicies } from '../compiler/policy/policy-file.ts'
import { YamlError } from '../language/ruby-semantics/yaml/yaml-error.ts'
import { validationIssues } from '../language/syntax/issues/validation.ts'
import { type ParserOptions, parseSource } from '../language/syntax/parser/parser.ts'
import { validateProgram } from '../language/syntax/validation/validate.ts'
import { parseYaml } from '../language/values/yaml.ts'
import { parseHocon } from '../machine/settings/hocon/hocon.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { parseApprovalRules } from './approvals/approval-rules.ts'
import type { CodePaths, Role } from './code-file-roles.ts'
import { parseRolloutPlan } from './rollout/rollout-file.ts'
import type { RubySyntax } from './ruby-syntax.ts'

const issues = defineIssues({
  DATA_SYNTAX: { text: (a: { what: string; why: string }) => `Could not parse ${a.what}: ${a.why}` },
  ENVIRONMENT_CONF: { text: (a: { message: string }) => a.message },
  DATA_SHAPE: { text: (a: { what: string; expected: string }) => `${a.what} must be ${a.expected}` },
  CHECKOUT_ATTRIBUTE: {
    text: (a: { attribute: string; pattern: string }) =>
      `The attribute ${a.attribute} of ${a.pattern} is ignored: nodes receive the bytes in the commit`,
    hint: (a) => {
      const instead = a.attribute.startsWith('filter=') ? 'Remove the attribute' : `Write '${a.pattern} -text' instead`
      return `${instead}, and commit the files as the nodes need them. See docs/windows-nodes.md.`
    },
  },
})

/** Input of a check, in addition to the text of the file. */
export interface CheckContext {
  readonly settings: Settings
  readonly moduleFile: CodePaths['moduleFile']
  readonly ruby: RubySyntax
}

type Check = (source: Source, context: CheckContext) => readonly Diagnostic[]

const checks: Readonly<Record<Role, Check>> = {
  'environment.conf': checkEnvironmentConf,
  'hiera.yaml': checkHieraYaml,
  'metadata.json': (source) => checkJson(source, 'metadata.json'),
  manifest: (source, context) => checkCode(source, context, {}),
  plan: (source, context) => checkCode(source, context, { tasks: true }),
  template: (source, context) => checkCode(source, context, { epp: true }),
  erb: (source, { ruby }) => ruby(source, true),
  ruby: (source, { ruby }) => ruby(source, false),
  yaml: checkYaml,
  json: (source) => checkJson(source, 'A data file'),
  hocon: checkHocon,
  sops: checkSops,
  policies: checkPolicyFile,
  approvals: checkApprovalRules,
  rollout: checkRolloutFile,
  attributes: checkAttributes,
}

/** Checks a file according to its role. */
export function checkFile(source: Source, role: Role, context: CheckContext): readonly Diagnostic[] {
  return checks[role](source, context)
}

function checkCode(source: Source, context: CheckContext, options: ParserOptions): readonly Diagnostic[] {
  return collectErrors(() => {
    const { program, warnings } = parseSource(source, options)
    const { strict } = context.settings
    const moduleFile = getAutoloadedPath(context.moduleFile(source.file ?? ''))
    return [
      ...warnings,
      ...validateProgram(program, { strict, tasks: options.tasks, moduleFile }).map(downgradeLocationErrors),
    ]
  })
}

/** The path of a module file from which a definition is autoloaded; otherwise `undefined`. */
function getAutoloadedPath(path: string | undefined): string | undefined {
  return path !== undefined && /^[^/]+\/(?:manifests|functions|types|plans)\//.test(path) ? path : undefined
}

/** Downgrades errors about misplaced definitions to warnings: such a definition is never loaded, so catalogs do not change. */
function downgradeLocationErrors(diagnostic: Diagnostic): Diagnostic {
  const { ILLEGAL_DEFINITION_LOCATION, ILLEGAL_TOP_CONSTRUCT_LOCATION } = validationIssues
  const isHarmless = hasIssueCode(diagnostic, ILLEGAL_DEFINITION_LOCATION, ILLEGAL_TOP_CONSTRUCT_LOCATION)
  return isHarmless ? { ...diagnostic, severity: 'warning' } : diagnostic
}

function collectErrors(work: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return work()
  } catch (error) {
    if (error instanceof PuppetError) return [error.diagnostic]
    throw error
  }
}

function checkYaml(source: Source): readonly Diagnostic[] {
  try {
    parseYaml(source.text)
    return []
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const start = error.offset ?? 0
    return [createDiagnostic(issues.DATA_SYNTAX, { what: 'YAML', why: error.message }, { source, start, end: start })]
  }
}

/** Returns the diagnostics of a hiera.yaml. */
function checkHieraYaml(source: Source, { moduleFile }: CheckContext): readonly Diagnostic[] {
  const problems = checkYaml(source)
  if (problems.length > 0) return problems
  const path = source.file ?? ''
  const layer = moduleFile(path) === undefined ? 'environment' : 'module'
  return collectErrors(() => {
    parseHieraConfig(source.text, path, layer)
    return []
  }).map((diagnostic) => ({ ...diagnostic, span: diagnostic.span ?? { source, start: 0, end: 0 } }))
}

/** Diagnostics of a policy file, as warnings: no catalog depends on it. */
function checkPolicyFile(source: Source): readonly Diagnostic[] {
  return collectErrors(() => {
    parsePolicies(source.text, source.file ?? '')
    return []
  }).map((diagnostic) => ({ ...diagnostic, severity: 'warning', span: { source, start: 0, end: 0 } }))
}

/** Diagnostics of the approval rules, as errors: after such a commit, no other commit could be served. */
function checkApprovalRules(source: Source): readonly Diagnostic[] {
  return collectErrors(() => {
    parseApprovalRules(source.text, source.file ?? '')
    return []
  }).map((diagnostic) => ({ ...diagnostic, span: { source, start: 0, end: 0 } }))
}

function checkRolloutFile(source: Source): readonly Diagnostic[] {
  return collectErrors(() => {
    parseRolloutPlan(source.text, source.file ?? '')
    return []
  })
}

function checkHocon(source: Source): readonly Diagnostic[] {
  return collectErrors(() => {
    parseHocon(source, { includes: 'left out' })
    return []
  })
}

/** Checks a file for `sops_lookup_key` without any key: a file that is not encrypted is an error. */
function checkSops(source: Source): readonly Diagnostic[] {
  return collectErrors(() => {
    parseSopsFile(source.text, source.file ?? '')
    return []
  }).map(({ message, hint }) => ({
    ...createDiagnostic(issues.DATA_SYNTAX, { what: 'a file of SOPS', why: message }, { source, start: 0, end: 0 }),
    hint,
  }))
}

function checkJson(source: Source, what: string): readonly Diagnostic[] {
  try {
    const value = JSON.parse(source.text) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return []
    return [createDiagnostic(issues.DATA_SHAPE, { what, expected: 'an object' }, { source, start: 0, end: 0 })]
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    const start = position === undefined ? source.text.trimEnd().length : Number(position)
    const why = message.replace(/ at position \d+.*$/s, '').replace(/ in JSON$/, '')
    return [createDiagnostic(issues.DATA_SYNTAX, { what: 'JSON', why }, { source, start, end: start })]
  }
}

function checkEnvironmentConf({ file, text }: Source, { settings }: CheckContext): readonly Diagnostic[] {
  return collectErrors(() => {
    const { warnings } = readEnvironmentConf({ file: file!, text }, settings.environment, settings)
    return warnings.map((message) => createDiagnostic(issues.ENVIRONMENT_CONF, { message }, undefined, 'warning'))
  })
}

/** Attributes with which git changes the bytes of a file on checkout. gitattributes(5). */
const checkoutAttribute = /^(?:eol=crlf|working-tree-encoding=\S+|filter=\S+)$/

/** Warns of the first attribute that a deployment tool with a checkout applies to files, and a server of commits does not. */
function checkAttributes(source: Source): readonly Diagnostic[] {
  let start = 0
  for (const line of source.text.split('\n')) {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/)
    const attribute = pattern.startsWith('#') ? undefined : attributes.find((each) => checkoutAttribute.test(each))
    const span = { source, start, end: start + line.length }
    if (attribute !== undefined)
      return [createDiagnostic(issues.CHECKOUT_ATTRIBUTE, { attribute, pattern }, span, 'warning')]
    start += line.length + 1
  }
  return []
}
