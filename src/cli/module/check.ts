import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { toPrintableLine } from '../../base/text/printable.ts'
import { parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { listForgeReleases } from '../../deploy/modules/forge-listing.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { runFleetSurvey } from '../test/fleet-survey.ts'
import { listGemFolders } from '../test/manifest-tests.ts'
import { withForge } from './forge-session.ts'
import { checkMetadata, type MetadataProblem } from './metadata-checks.ts'
import { readModuleMetadata } from './module-metadata.ts'
import { printNotice } from './notice.ts'

const checkOptions = [
  { flags: '--offline', doc: 'Do not ask the Forge for newer releases of dependencies.' },
  { flags: '--metadata-only', doc: 'Do not compile the classes.' },
  renderAs,
] as const

/** The command `plumb module check`. */
export const checkCommand: CliCommand = defineCommand({
  name: 'check',
  summary: 'Check the metadata of a module, and that its classes compile.',
  description: `Checks metadata.json: required keys, license, bounds of versions, dependencies that are named twice or exclude
their newest release, supported systems. Then compiles each class with the facts of all supported systems of
FacterDB, as 'plumb test --facts fleet' does.

  plumb module check
  plumb module check ../ntp --metadata-only --render-as json

Exits with 0, or with 1 for errors; warnings do not change the exit status.`,
  usage: '[directory]',
  options: checkOptions,
  run: runCheck,
})

async function runCheck(invocation: CommandInvocation<typeof checkOptions>): Promise<number> {
  const { args, options, settings: given, io } = invocation
  const folder = realpathSync(args[0] ?? '.')
  const { content } = readModuleMetadata(folder)
  const settings = loadSettings({ given, runMode: 'user' })
  const bounds = options.offline === true ? [] : await findOldBounds(content, settings)
  const problems = [...checkMetadata(content), ...bounds]
  const asJson = options.renderAs === 'json'
  if (asJson) io.out(`${JSON.stringify(problems, undefined, 2)}\n`)
  else
    for (const { severity, check, message } of problems)
      io.out(`metadata.json - ${severity.toUpperCase()}: ${toPrintableLine(message)} (check: ${check})\n`)
  if (!asJson && problems.length === 0) io.out('metadata.json has no problems\n')
  const status = problems.some(({ severity }) => severity === 'error') ? 1 : 0
  if (options.metadataOnly === true || asJson || !existsSync(join(folder, 'manifests'))) return status
  printNotice('Compiling the classes with the facts of all systems ...', io)
  return Math.max(status, await runFleetSurvey(folder, { gemFolders: listGemFolders(settings), asJson }, settings, io))
}

/** Finds dependencies whose bounds exclude their newest release. */
async function findOldBounds(
  content: Readonly<Record<string, unknown>>,
  settings: Settings,
): Promise<readonly MetadataProblem[]> {
  const { dependencies } = parseModuleDescription(content)
  if (dependencies.length === 0) return []
  return withForge(settings, async ({ web, forge, limit }) => {
    const problems: MetadataProblem[] = []
    for (const { name, range } of dependencies) {
      const releases = await listForgeReleases(web, forge, name.replace('/', '-'), limit())
      const [newest] = releases
        .map(({ version }) => version)
        .filter(({ prerelease }) => prerelease.length === 0)
        .sort((one, other) => SemVer.compare(other, one))
      if (!newest) problems.push({ severity: 'error', check: 'dependency', message: `${name} is not on ${forge.url}` })
      else if (SemVerRange.parse(range)?.includes(newest) === false)
        problems.push({
          ...{ severity: 'warning', check: 'dependency_bounds' },
          message: `${name} ${newest} is outside of the bounds '${range}'`,
        })
    }
    return problems
  })
}
