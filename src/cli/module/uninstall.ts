import { throwIssue } from '../../base/issue.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { listDependents, listInstalledModules, listLocalChanges } from './installed-modules.ts'
import { recoverModules, removeModule } from './module-directory.ts'
import { moduleCommandIssues as issues } from './module-issues.ts'
import { parseModuleSlug } from './module-slug.ts'
import { printNotice } from './notice.ts'

const uninstallOptions = [
  { flags: '--version <requirement>', doc: 'Uninstall only a version within these bounds.' },
  { flags: '-f, --force', doc: 'Uninstall the module even if it was changed or other modules require it.' },
  { flags: '-c, --ignore-changes', doc: 'Uninstall the module even if its files were changed locally.' },
  renderAs,
] as const

/** The command `plumb module uninstall`. */
export const uninstallCommand: CliCommand = defineCommand({
  name: 'uninstall',
  summary: 'Remove an installed module.',
  description: `Removes a module from the modulepath, unless its files were changed or another module requires it.

  plumb module uninstall puppetlabs-apache --modulepath modules

Exits with 0, or with 1 if the module was not removed.`,
  usage: '<name>',
  options: uninstallOptions,
  run: runUninstall,
})

async function runUninstall(invocation: CommandInvocation<typeof uninstallOptions>): Promise<number> {
  const { args, options, io } = invocation
  const slug = parseModuleSlug('uninstall', args[0])
  printNotice(`Preparing to uninstall '${slug}' ...`, io)
  const { modules } = await listInstalledModules(invocation)
  const range = options.version === undefined ? undefined : SemVerRange.parse(options.version)
  if (options.version !== undefined && !range) throwIssue(issues.MODULE_VERSION_WORDS, { words: options.version })
  const named = modules.filter((each) => each.slug === slug)
  const [found, ...others] = named.filter(({ version }) => {
    const parsed = SemVer.parse(version ?? '')
    return !range || (parsed !== undefined && range.includes(parsed))
  })
  if (!found) {
    const known = modules.map((each) => each.slug).filter((each) => each !== slug)
    return throwIssue(issues.MODULE_NOT_INSTALLED, { action: 'uninstall', slug, known })
  }
  const paths = [found, ...others].map(({ path }) => path)
  if (others.length > 0) throwIssue(issues.MODULE_SEVERAL, { action: 'uninstall', slug, paths })
  const version = found.version ?? ''
  if (options.force !== true && options.ignoreChanges !== true) {
    const files = await listLocalChanges(found.path)
    if (files.length > 0) throwIssue(issues.MODULE_CHANGED, { action: 'uninstall', slug, version, files })
  }
  const by = listDependents(modules, slug).map((each) => each.slug)
  if (options.force !== true && by.length > 0) throwIssue(issues.MODULE_REQUIRED, { slug, version, by })
  await recoverModules(found.directory)
  await removeModule(found.directory, found.described.name)
  if (options.renderAs === 'json')
    io.out(`${JSON.stringify({ name: slug, version, path: found.path }, undefined, 2)}\n`)
  else io.out(`Removed '${slug}' (v${version}) from ${found.directory}\n`)
  return 0
}
