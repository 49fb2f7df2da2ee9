import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import { type Check, type Installation, listRoleSettings } from '../installation.ts'

const faults = defineFaults('disk', {
  DISK_FULL: {
    severity: 'error',
    what: (a: { folder: string; free: number }) => `The disk of ${a.folder} is full: ${formatMebibytes(a.free)} free`,
    why: 'Certificates, reports and catalogs cannot be written.',
    fix: (a) => `Find large directories with 'du -xh ${a.folder} | sort -h | tail'.`,
  },
  DISK_LOW: {
    severity: 'warning',
    what: (a: { folder: string; free: number }) =>
      `The disk of ${a.folder} is almost full: ${formatMebibytes(a.free)} free`,
    why: 'Certificates, reports and catalogs cannot be written on a full disk.',
    fix: (a) => `Find large directories with 'du -xh ${a.folder} | sort -h | tail'.`,
  },
  INODES: {
    severity: 'error',
    what: (a: { folder: string; free: number }) => `The disk of ${a.folder} has only ${a.free} free inodes`,
    why: 'Each new file needs a free inode, even if enough bytes are free.',
    fix: (a) => `Find directories with many files with 'find ${a.folder} -xdev -type d -size +64k'.`,
  },
})

const mebibyte = 1024 * 1024
/** Free space in bytes that a push of a typical control repository needs. */
const fullBytes = 64 * mebibyte
const lowBytes = 512 * mebibyte
/** Free inodes needed for one report of each node, for several hundred nodes. */
const fewFiles = 1000

const formatMebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)} MiB`

/** Checks the free space on the disks of configuration, state and code. */
export const diskCheck: Check = {
  name: 'disk',
  doc: 'free bytes and inodes on the disks of configuration, state and code',
  async run(installation) {
    const findings: DoctorFinding[] = []
    const seen = new Set<string>()
    for (const folder of listFolders(installation)) {
      const found = await measureFreeSpace(folder)
      if (found === undefined || seen.has(found.disk)) continue
      seen.add(found.disk)
      const { free, files } = found
      if (free < fullBytes) findings.push(faults.DISK_FULL({ folder, free }))
      else if (free < lowBytes) findings.push(faults.DISK_LOW({ folder, free }))
      if (files !== undefined && files < fewFiles) findings.push(faults.INODES({ folder, free: files }))
    }
    return findings
  },
}

function listFolders(installation: Installation): readonly string[] {
  const common = listRoleSettings(installation).flatMap(({ vardir, confdir, ssldir, logdir }) => [
    vardir,
    confdir,
    ssldir,
    logdir,
  ])
  const { server } = installation
  const ofServer = server ? [server.server_datadir, server.cadir, server.code_repo, server.reportdir] : []
  return [...common, ...ofServer].filter((folder) => folder !== '')
}

interface Room {
  readonly disk: string
  /** Bytes available to unprivileged users. */
  readonly free: number
  /** Free inodes; undefined if the file system has no limit. */
  readonly files: number | undefined
}

/** Free space on the disk of a folder; for a missing folder, of its parent. */
async function measureFreeSpace(folder: string): Promise<Room | undefined> {
  try {
    const { type, bsize, blocks, bavail, files, ffree } = await statfs(folder)
    return { disk: [type, blocks, files, bavail].join(), free: bavail * bsize, files: files > 0 ? ffree : undefined }
  } catch {
    const above = dirname(folder)
    return above === folder ? undefined : measureFreeSpace(above)
  }
}
