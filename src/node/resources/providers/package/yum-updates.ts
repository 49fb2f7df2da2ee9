import { runProviderProgram } from '../../provider.ts'
import type { PackageWork } from './package-provider.ts'
import { cacheForRun } from './run-cache.ts'

/** Install options that select repositories. */
const repositoryOptions = ['--disablerepo', '--enablerepo', '--disableexcludes']

/** The resource's options that select repositories, without duplicates. */
export function getRepositoryFlags({ resource }: PackageWork): readonly string[] {
  const options = resource.get('install_options') ?? []
  return repositoryOptions.flatMap((name) => [...new Set(options.filter((each) => each.startsWith(`${name}=`)))])
}

/** The newest available versions of installed packages, by name and by `name.arch`. */
export function listUpdates(program: string, work: PackageWork): Promise<ReadonlyMap<string, string>> {
  const command = [program, '-y', 'check-update', ...getRepositoryFlags(work)]
  return cacheForRun(work, command.join('\0'), () => checkUpdates(command, work))
}

async function checkUpdates(
  command: readonly string[],
  { system, log }: PackageWork,
): Promise<ReadonlyMap<string, string>> {
  const { status, stdout } = await runProviderProgram(system, command)
  if (status === 100) return parseUpdates(stdout)
  if (status !== 0) {
    const [program = ''] = command
    const path = await system.commands.find(program)
    const source = `Puppet::Type::Package::Provider${program[0]!.toUpperCase()}${program.slice(1)}`
    log('warning', `${source}: Could not check for updates, '${path} check-update' exited with ${status}`, '')
  }
  return new Map()
}

/** Parses `yum check-update`: three words per package, which can span several lines. */
export function parseUpdates(output: string): ReadonlyMap<string, string> {
  const lines = output.split('\n')
  const end = lines.findIndex((line) => /^(?:Obsoleting|Security:|Update)/.test(line))
  const updates = new Map<string, string>()
  for (const paragraph of lines
    .slice(0, end < 0 ? lines.length : end)
    .join('\n')
    .split(/^[ \t]*\n/m)) {
    const words = paragraph.split(/\s+/).filter((word) => word !== '')
    for (let at = 0; at < words.length; at += 3) {
      const [name = '', version = ''] = words.slice(at, at + 2)
      const [, epoch = '0', full] = /^(?:(\d+):)?([^\s-]+-\S+)$/.exec(version) ?? []
      const dot = name.lastIndexOf('.')
      if (dot < 0 || full === undefined) continue
      // If a name is listed several times, the first version is used.
      for (const each of [name.slice(0, dot), name]) if (!updates.has(each)) updates.set(each, `${epoch}:${full}`)
    }
  }
  return updates
}
