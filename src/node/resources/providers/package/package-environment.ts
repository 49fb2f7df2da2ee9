import type { CommandOptions, System } from '../../../../machine/system/system.ts'
import { addEnvironmentSettings } from '../../environment-settings.ts'
import type { PackageWork } from './package-provider.ts'

/**
 * The work on a package, with the variables of the attribute `environment` for all programs. A
 * variable that the provider itself sets, such as DEBIAN_FRONTEND, keeps the provider's value.
 * OpenVox: provider/package.rb, `with_environment`
 */
export function withPackageEnvironment(work: PackageWork): PackageWork {
  const settings = work.resource.get('environment')
  if (settings === undefined || settings.length === 0) return work
  const env: Record<string, string | undefined> = {}
  addEnvironmentSettings(env, settings, (problem, name) => {
    if (problem === 'repeated') work.log('warning', `Overriding environment setting '${name}'`, 'provider')
    const place = work.resource.place().trim() || '(file & line not available)'
    if (problem === 'empty') work.log('warning', `Empty environment setting '${name}'\n   ${place}`, '')
  })
  const { system } = work
  const runWith = (options: CommandOptions, ...command: readonly string[]) =>
    work.runWith({ ...options, env: { ...env, ...options.env } }, ...command)
  return { ...work, system: addVariables(system, env), runWith, run: (...command) => runWith({}, ...command) }
}

/** A system whose programs run with additional variables. */
function addVariables({ files, commands, now }: System, variables: CommandOptions['env']): System {
  return {
    files,
    now,
    commands: {
      find: (name, path) => commands.find(name, path),
      run: (command, options) => commands.run(command, { ...options, env: { ...options?.env, ...variables } }),
    },
  }
}
