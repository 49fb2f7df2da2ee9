import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'

/** What manifests noticed that use the modules in `files`; names begin with `modules/`. */
export function noticed(
  files: Readonly<Record<string, string>>,
  code: string,
  environment = 'production',
  time = 0,
): string[] {
  const tree = { ...treeOf(files, `/code/${environment}`), time }
  const { logs } = compile({
    node: { name: 'n1', environment, parameters: {}, classes: [] },
    facts: { os: { family: 'Debian' } },
    trusted: { certname: 'n1' },
    serverFacts: {},
    environment: {
      name: environment,
      tree,
      modulepath: [{ tree, path: 'modules' }],
      manifest: { text: code },
      version: 1,
      globalHiera: undefined,
    },
    staticChecksum: undefined,
    settings: {},
    strict: 'error',
    strictVariables: true,
  })
  return logs.map(({ message }) => message)
}

/** Why the catalog could not be made, in one line, and the hint. */
export function refusal(files: Readonly<Record<string, string>>, code: string): string {
  try {
    return `nothing was wrong: ${noticed(files, code).join()}`
  } catch (error) {
    return (error as Error).message
  }
}
