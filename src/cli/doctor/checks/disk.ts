import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { defineFaults, type Finding } from '../finding.ts'
import { type Check, type Installation, rolesOf } from '../installation.ts'

const faults = defineFaults('disk', {
  DISK_FULL: {
    severity: 'error',
    what: (a: { folder: string; free: number }) => `The disk of ${a.folder} is full: ${mebibytes(a.free)} are free`,
    why: 'Certificates, reports and catalogs cannot be written any more.',
    fix: (a) => `'du -xh ${a.folder} | sort -h | tail' says what takes the room.`,
  },
  DISK_LOW: {
    severity: 'warning',
    what: (a: { folder: string; free: number }) => `The disk of ${a.folder} fills up: ${mebibytes(a.free)} are free`,
    why: 'When it is full, nothing can be written any more.',
    fix: (a) => `'du -xh ${a.folder} | sort -h | tail' says what takes the room.`,
  },
  INODES: {
    severity: 'error',
    what: (a: { folder: string; free: number }) => `The disk of ${a.folder} has room for ${a.free} files more`,
    why: 'Without a free inode no file can be made, however many bytes are free.',
    fix: (a) => `'find ${a.folder} -xdev -type d -size +64k' says where the many are.`,
  },
})

const mebibyte = 1024 * 1024
/** Free bytes below which a push of a common control repository no longer fits. */
const fullBytes = 64 * mebibyte
const lowBytes = 512 * mebibyte
/** Free files below which some hundred nodes have no room for a report each. */
const fewFiles = 1000

const mebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)} MiB`

/** Room on the disks of configuration, state and code. */
export const disk: Check = {
  name: 'disk',
  doc: 'room for bytes and files where configuration, state and code are',
  async run(installation) {
    const findings: Finding[] = []
    const seen = new Set<string>()
    for (const folder of foldersOf(installation)) {
      const found = await roomOf(folder)
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

function foldersOf(installation: Installation): readonly string[] {
  const common = rolesOf(installation).flatMap(({ vardir, confdir, ssldir, logdir }) => [
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
  /** Bytes that an ordinary user may write. */
  readonly free: number
  /** Files that can be made; none where the file system has no such bound. */
  readonly files: number | undefined
}

/** The room where a folder is, or would be made. */
async function roomOf(folder: string): Promise<Room | undefined> {
  try {
    const { type, bsize, blocks, bavail, files, ffree } = await statfs(folder)
    return { disk: [type, blocks, files, bavail].join(), free: bavail * bsize, files: files > 0 ? ffree : undefined }
  } catch {
    const above = dirname(folder)
    return above === folder ? undefined : roomOf(above)
  }
}
