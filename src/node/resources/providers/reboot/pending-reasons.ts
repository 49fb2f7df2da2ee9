import { hasRegistryKey, readRegistryKey } from '../../../../machine/registry/registry.ts'
import { decodeRegistryData } from '../../../../machine/registry/registry-data.ts'
import type { System } from '../../../../machine/system/system.ts'
import { runPowerShell } from '../windows/power-shell.ts'

/** Reads one reason for a restart. Returns what to log at the level debug; undefined if Windows does not wait for a restart. */
export type ReasonReader = (system: System) => Promise<string | undefined>

const uninstallers = 'UpdateExeVolatile'
const computerName = 'SYSTEM\\CurrentControlSet\\Control\\ComputerName'

/** Asks a class of Windows; a class that does not exist has no reason. */
const createClassReader =
  (call: string, isPending: string, found: string): ReasonReader =>
  async (system) => {
    const script = `try { $r = Invoke-CimMethod ${call} -ErrorAction Stop; [bool](${isPending}) } catch { $false }`
    const lines = await runPowerShell(system, 'ask for pending restarts', script)
    return lines.includes('True') ? found : undefined
  }

/** The reasons for which Windows waits for a restart, in the order in which they are read. */
export const reasonReaders: Readonly<Record<string, ReasonReader>> = {
  component_based_servicing: findKey(
    'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Component Based Servicing\\RebootPending',
  ),
  windows_auto_update: findKey(
    'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\WindowsUpdate\\Auto Update\\RebootRequired',
  ),
  async pending_file_rename_operations(system) {
    const names = await readValue(
      system,
      'SYSTEM\\CurrentControlSet\\Control\\Session Manager',
      'PendingFileRenameOperations',
    )
    return (Array.isArray(names) || typeof names === 'string') && names.length > 0
      ? 'HKLM\\PendingFileRenameOperations'
      : undefined
  },
  package_installer: findUninstallers('SOFTWARE\\Microsoft\\Updates'),
  package_installer_syswow64: findUninstallers('SOFTWARE\\Wow6432Node\\Microsoft\\Updates'),
  async pending_computer_rename(system) {
    const active = await readValue(system, `${computerName}\\ActiveComputerName`, 'ComputerName')
    const next = await readValue(system, `${computerName}\\ComputerName`, 'ComputerName')
    return active !== undefined && next !== undefined && active !== next
      ? `Computer being renamed from ${String(active)} to ${String(next)}`
      : undefined
  },
  pending_dsc_reboot: createClassReader(
    '-Namespace root/Microsoft/Windows/DesiredStateConfiguration -ClassName MSFT_DSCLocalConfigurationManager -MethodName GetMetaConfiguration',
    "$r.MetaConfiguration.LCMState -eq 'PendingReboot'",
    'DSC LocalConfigurationManager LCMState',
  ),
  pending_ccm_reboot: createClassReader(
    '-Namespace root/ccm/ClientSDK -ClassName CCM_ClientUtilities -MethodName DetermineIfRebootPending',
    '$r.ReturnValue -eq 0 -and ($r.IsHardRebootPending -or $r.RebootPending)',
    'CCM ClientUtilities',
  ),
  pending_domain_join: findKey('SYSTEM\\CurrentControlSet\\Services\\Netlogon\\JoinDomain'),
}

function findKey(path: string): ReasonReader {
  return async (system) => ((await hasRegistryKey(system, toFullPath(path), 64)) ? `HKLM\\${path}` : undefined)
}

function findUninstallers(path: string): ReasonReader {
  return async (system) => {
    const number = await readValue(system, path, uninstallers)
    return typeof number === 'bigint' && number !== 0n ? `HKLM\\${path}\\${uninstallers}=${number}` : undefined
  }
}

const toFullPath = (path: string): string => `HKEY_LOCAL_MACHINE\\${path}`

async function readValue(system: System, path: string, name: string): Promise<unknown> {
  const key = await readRegistryKey(system, toFullPath(path))
  const value = key?.values.find((each) => each.name.toLowerCase() === name.toLowerCase())
  return value && decodeRegistryData(value)
}
