import { failWithMessage } from '../../issues.ts'
import { defineProvider, type ProviderServices, type ProviderWork, runProviderProgram } from '../../provider.ts'
import { getModuleFile, selmodule } from '../../types/selmodule.ts'

/** Loaded modules with their versions. The version is undefined if `semodule` does not print versions. */
type LoadedModules = ReadonlyMap<string, string | undefined>

type ModuleWork = ProviderWork<(typeof selmodule)['attributes'], LoadedModules>

/** The provider of `selmodule`, which manages SELinux policy modules with `semodule`. */
export const semodule = defineProvider<(typeof selmodule)['attributes'], LoadedModules>(selmodule, 'semodule', {
  doc: 'Manage SELinux policy modules using the semodule binary.',
  suitable: { commands: ['semodule'] },
  async prefetch(services) {
    const loaded = await listLoadedModules(services)
    return () => loaded
  },
  async read({ resource, state, ...work }) {
    if (!state.has(resource.name)) return { ensure: 'absent' }
    const syncversion = resource.reads('syncversion')
      ? String(await isFileVersionLoaded({ ...work, resource, state }))
      : undefined
    return { ensure: 'present', syncversion }
  },
  create: (work) => runSemodule(work, 'load', ['--install', getModuleFile(work.resource)]),
  remove: (work) => runSemodule(work, 'remove', ['--remove', work.resource.name]),
  set: { syncversion: (work) => runSemodule(work, 'upgrade', ['--upgrade', getModuleFile(work.resource)]) },
})

async function runSemodule({ system }: ModuleWork, action: string, words: readonly string[]): Promise<void> {
  const { status, output } = await runProviderProgram(system, ['semodule', ...words])
  if (status !== 0) failWithMessage(`Could not ${action} policy module: ${output.split('\n')[0]}`)
}

async function listLoadedModules({ system }: ProviderServices): Promise<LoadedModules> {
  const { status, output, stdout } = await runProviderProgram(system, ['semodule', '--list'])
  if (status !== 0) {
    const path = (await system.commands.find('semodule')) ?? 'semodule'
    const said = output.trim().split('\n').join(' ')
    failWithMessage(`Could not list policy modules: "${path} --list" failed with "${said}"`)
  }
  const rows = stdout.split('\n').filter((line) => line.trim() !== '')
  return new Map(
    rows.map((line) => {
      const [name = '', version] = line.trim().split(/\s+/)
      return [name, version] as const
    }),
  )
}

async function isFileVersionLoaded({ resource, state, system }: Pick<ModuleWork, 'resource' | 'state' | 'system'>) {
  const loaded = state.get(resource.name)
  if (loaded === undefined) return false
  const path = getModuleFile(resource)
  const content = (await system.files.read(path)) ?? failWithMessage(`No such file or directory @ rb_sysopen - ${path}`)
  return readModuleVersion(content, path) === loaded
}

const magic = 0xf97cff8f

/**
 * The version in a policy module file, after the header, the table of sections and the module's
 * name.
 */
function readModuleVersion(content: Buffer, path: string): string {
  let at = 0
  const skipBytes = (bytes: number): Buffer => {
    if (at + bytes > content.length) failWithMessage(`The policy module ${path} is truncated`)
    at += bytes
    return content.subarray(at - bytes, at)
  }
  const readNumber = () => skipBytes(4).readUInt32LE(0)
  const readText = () => skipBytes(readNumber()).toString('latin1')
  const [found, version, sections] = [readNumber(), readNumber(), readNumber()]
  if (found !== magic) failWithMessage(`Found ${found} instead of magic ${magic} in ${path}`)
  if (version !== 1) failWithMessage(`Unknown policy file version ${version} in ${path}`)
  skipBytes((sections + 1) * 4)
  readText()
  readText()
  skipBytes(14)
  readText()
  return readText()
}
