import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { compile } from '../../compiler/compile.ts'
import { toBareError } from '../../compiler/request/catalog-error.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import type { Definition } from '../../language/syntax/tree/nodes.ts'
import { parseAndValidate } from '../../language/syntax/validation/validate.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'
import { readComment } from '../code-index/documentation.ts'
import type { TestFailure } from './expectation-check.ts'
import { resolveOrder } from './resource-order.ts'
import type { TestCode } from './test-code.ts'
import type { TestNode } from './test-node.ts'

/** A node or an operating system whose facts a survey uses. */
export interface SurveyedSystem {
  readonly name: string
  /** False for a system that the module's metadata.json does not list; its failures are no faults. */
  readonly isSupported: boolean
  readNode(): Promise<TestNode>
}

/** The result of a class on one system. */
export interface SurveyResult {
  readonly class: string
  readonly system: string
  readonly isSupported: boolean
  /** Undefined if the catalog compiles and an agent could apply it. */
  readonly failure: TestFailure | undefined
}

/**
 * Lists the classes of a module that nodes may include, by name: without classes documented as `@api private`. Files that
 * do not parse are left out.
 */
export function listModuleClasses(root: string): readonly string[] {
  const files = listFilesBelow(join(root, 'manifests'), budgets.workbench.folderEntries.bound)
  return files
    .filter((path) => path.endsWith('.pp'))
    .flatMap(listClasses)
    .sort()
}

function listClasses(file: string): readonly string[] {
  try {
    const source = { file, text: readBoundedFileSync(file, budgets.push.codeFile.bound).toString('utf8') }
    const { program } = parseAndValidate(source, { strict: 'off', tasks: false, moduleFile: undefined })
    return program.definitions.flatMap((each) =>
      each.kind === 'HostClassDefinition' && !isPrivate(each) ? [each.name] : [],
    )
  } catch (error) {
    if (error instanceof PuppetError) return []
    throw error
  }
}

function isPrivate(definition: Definition): boolean {
  const lines = readComment(definition).split('\n')
  return lines.some((line) => /^@api\s+private\b/.test(line.trim()))
}

/** Compiles a catalog of each class on each system. The facts of a system are read once. */
export async function* surveyClasses(
  code: TestCode,
  classes: readonly string[],
  systems: readonly SurveyedSystem[],
  createRequest: (node: TestNode, environment: CompileEnvironment) => CompileRequest,
): AsyncGenerator<SurveyResult> {
  const environments = classes.map((name) => [name, code.open({ text: `include ${name}\n` })] as const)
  for (const system of systems) {
    const node = await system.readNode()
    for (const [name, environment] of environments) {
      const failure = findFailure(createRequest(node, environment))
      const file = failure?.file && code.getAuthorPath(failure.file)
      const { name: systemName, isSupported } = system
      yield { class: name, system: systemName, isSupported, failure: failure && { ...failure, file } }
    }
  }
}

function findFailure(request: CompileRequest): TestFailure | undefined {
  try {
    resolveOrder(compile(request).catalog)
    return undefined
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, file, line } = toBareError(error)
    return { message, file, line }
  }
}

/** A failure of a class, and the systems on which it occurs. */
export interface SurveyFailure extends TestFailure {
  readonly class: string
  readonly isSupported: boolean
  readonly systems: readonly string[]
}

/** Groups failures by class, message and support; those of supported systems come first. */
export function groupSurvey(results: readonly SurveyResult[]): readonly SurveyFailure[] {
  const groups = new Map<string, SurveyFailure & { readonly systems: string[] }>()
  for (const { class: name, system, isSupported, failure } of results) {
    if (!failure) continue
    const key = JSON.stringify([name, isSupported, failure])
    const group = groups.get(key) ?? { class: name, isSupported, ...failure, systems: [] }
    group.systems.push(system)
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.isSupported) - Number(a.isSupported) || compareCodeUnits(a.class, b.class),
  )
}
