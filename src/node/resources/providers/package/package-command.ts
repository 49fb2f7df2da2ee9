import { failWithMessage } from '../../issues.ts'
import { type AnyProvider, type ProviderServices, runProviderProgram } from '../../provider.ts'
import type { PackageWork } from './package-provider.ts'

/** The path of the first installed program. */
export async function findFirstProgram(
  { system }: ProviderServices,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const path = await system.commands.find(name)
    if (path !== undefined) return path
  }
  return undefined
}

/** The path of a required program: the program set in the resource, or the provider's default program. */
export async function resolvePackageCommand(
  services: ProviderServices,
  provider: Pick<AnyProvider, 'name'> | undefined,
  command: string | undefined,
): Promise<string> {
  if (command === undefined)
    failWithMessage(`Provider ${provider?.name} package command is not functional on this host`)
  if ((await services.system.commands.find(command)) === undefined)
    failWithMessage(`Provider ${provider?.name} package command '${command}' does not exist on this host`)
  return command
}

/** The output lines of a package manager. */
export async function readOutputLines(
  work: Pick<PackageWork, 'system'>,
  command: readonly string[],
): Promise<readonly string[]> {
  const { output } = await runProviderProgram(work.system, command)
  return output.split('\n').filter((line) => line !== '')
}
