import { readdirSync } from 'node:fs'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { isWindows } from './machine-path.ts'
import { systemRoot } from './system-programs.ts'

/** True for root; on Windows for an elevated administrator and the accounts of services, as Puppet's feature `root`. */
export function isPrivileged(): boolean {
  return isWindows ? canListRegistryFiles() : process.getuid?.() === 0
}

/** Only administrators can list the folder of the registry's files. Wine has no such folder. */
function canListRegistryFiles(): boolean {
  try {
    readdirSync(`${systemRoot}/System32/config`)
    return true
  } catch (error) {
    return getSystemErrorCode(error) === 'ENOENT'
  }
}
