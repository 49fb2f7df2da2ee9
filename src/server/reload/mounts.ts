import type { Logger } from 'pino'
import { type FileserverConf, parseFileserverConf } from '../../code/environments/mounts/fileserver-conf.ts'
import { FolderMounts } from '../../code/environments/mounts/folder-mounts.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { Reloadable } from '../reloader.ts'

/** The mounts of fileserver.conf. A reload reads the file again. */
export interface ReadMounts extends Reloadable {
  readonly mounts: FolderMounts
}

/**
 * Reads fileserver.conf. An invalid file is logged, as by Puppet, and only the mounts of the code
 * are served.
 */
export async function openMounts(
  settings: Settings,
  { files }: Pick<System, 'files'>,
  log: Pick<Logger, 'warn' | 'error'>,
): Promise<ReadMounts> {
  const { ssldir, cadir, privatekeydir, server_datadir, reportdir, bucketdir, confdir, vardir } = settings
  const kept = [ssldir, cadir, privatekeydir, server_datadir, reportdir, bucketdir]
  const mounts = new FolderMounts({ kept, held: [confdir, vardir] }, settings.certname)
  const readConf = async ({ fileserverconfig: file }: Settings): Promise<FileserverConf> =>
    parseFileserverConf((await files.readText(file)) ?? '', file)
  const applyMounts = ({ mounts: all, complaints }: FileserverConf) => {
    for (const { level, message } of complaints) log[level](message)
    mounts.take(all.filter((mount) => isValidMount(mounts, mount, log)))
  }
  try {
    applyMounts(await readConf(settings))
  } catch (error) {
    log.error(`Error parsing fileserver configuration: ${formatError(error)}; using old configuration`)
  }
  return {
    mounts,
    async prepare(next) {
      const conf = await readConf(next)
      return () => applyMounts(conf)
    },
  }
}

function isValidMount(
  mounts: FolderMounts,
  mount: FileserverConf['mounts'][number],
  log: Pick<Logger, 'error'>,
): boolean {
  try {
    mounts.check(mount)
    return true
  } catch (error) {
    log.error(`Removing mount "${mount.name}": ${formatError(error)}`)
    return false
  }
}
