import { PuppetError } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { ForgeModules, parseCandidate } from '../../deploy/module-tool/forge-modules.ts'
import { checkMetadata, checkNewest, type ModuleProblem } from '../../deploy/module-tool/metadata-check.ts'
import { readMetadataFile } from '../../deploy/module-tool/metadata-file.ts'
import { SemVer } from '../../language/values/semver.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { listModuleClasses } from '../../workbench/manifest-tests/class-survey.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { surveyModule } from '../test/fleet-survey.ts'
import { listGemFolders } from '../test/manifest-tests.ts'
import { compareDependencies } from './code-dependencies.ts'
import { findModuleRoot } from './module-context.ts'

/** The command `plumb module check`. */
export const checkCommand = defineCommand({
  name: 'check',
  summary: 'Check the metadata and dependencies of a module, and compile its classes.',
  description: `Checks four parts of a module:

- metadata.json: required and deprecated fields, license, ranges of versions, supported systems; by the rules of
  metadata-json-lint.
- Code: metadata.json names the modules that manifests use. A dependency that no code uses is a warning.
- Dependencies: each range includes the newest release on the Forge. --offline skips this part.
- Classes: each class compiles with the facts of all supported systems in FacterDB. --metadata-only skips this part.
  Modules of dependencies are those in spec/fixtures/modules, or those of --modulepath.

  plumb module check
  plumb module check modules/web --offline --render-as json

Exits with 0, or with 1 for a problem.`,
  usage: '[path]',
  options: [
    { flags: '--offline', doc: 'Send no request to the Forge.' },
    { flags: '--metadata-only', doc: 'Compile no classes.' },
    { flags: '--gem-path <dir>', doc: 'Directory with the gem facterdb; may be repeated.', repeated: true },
    renderAs,
  ],
  async run({ args, options, settings: given, io }) {
    const root = findModuleRoot(args[0] ?? '.')
    const settings = loadSettings({ given, runMode: 'user' })
    const metadata = await readMetadataFile(root)
    const problems = [...checkMetadata(metadata)]
    const code = compareDependencies(root, listDependencies(metadata), settings.modulepath)
    problems.push(...code.problems)
    if (options.offline !== true) problems.push(...(await checkDependencies(metadata, settings, io)))
    const isSurveyed = options.metadataOnly !== true && listModuleClasses(root).length > 0
    const found = isSurveyed ? await checkClasses(root, settings, options.gemPath, io) : []
    if (typeof found === 'number') return found
    problems.push(...found)
    if (options.renderAs === 'json')
      io.out(`${JSON.stringify({ module: root, problems, warnings: code.warnings }, undefined, 2)}\n`)
    else {
      for (const { check, message } of code.warnings) printMessage('Warning', `${check}: ${message}`, io)
      for (const { check, message } of problems) io.out(`${check}: ${toPrintable(message)}\n`)
      io.out(problems.length === 0 ? 'No problems found\n' : `${problems.length} problems found\n`)
    }
    return problems.length === 0 ? 0 : 1
  },
})

/** The names of the dependencies; none if they are invalid, which the check of metadata.json reports. */
function listDependencies(metadata: Readonly<Record<string, unknown>>): Iterable<string> {
  return parseModuleDescription(metadata).dependencies.map(({ name }) => name)
}

/** Compares the dependencies with the Forge; prints a warning if it cannot be reached. */
async function checkDependencies(
  metadata: Readonly<Record<string, unknown>>,
  settings: Settings,
  io: Io,
): Promise<readonly ModuleProblem[]> {
  const warn = (message: string) => printMessage('Warning', message, io)
  const forge = new ForgeModules(settings, warn)
  try {
    const { dependencies } = parseCandidate(metadata)
    const newest = new Map<string, SemVer | undefined>()
    for (const slug of dependencies.keys()) {
      const stable = (await forge.list(slug)).map(({ version }) => version).filter((version) => version.isStable)
      newest.set(slug, stable.sort(SemVer.compare).at(-1))
    }
    return checkNewest(dependencies, newest)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    warn(`Dependencies were not compared with the Forge: ${error.message}`)
    return []
  } finally {
    await forge.close()
  }
}

/** Compiles the classes. Returns an exit status if a signal ended the compilation. */
async function checkClasses(
  root: string,
  settings: Settings,
  gemPath: readonly string[] | undefined,
  io: Io,
): Promise<readonly ModuleProblem[] | number> {
  const gemFolders = listGemFolders(settings, gemPath)
  const survey = await surveyModule(root, { gemFolders, isFleet: false }, settings, io)
  if (typeof survey === 'number') return survey
  return survey.failures.map(({ class: name, systems, message }) => ({
    check: 'compilation',
    message: `${name} on ${systems.join(', ')}: ${message}`,
  }))
}
