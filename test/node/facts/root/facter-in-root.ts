import { spawnSync } from 'node:child_process'

/**
 * The fact `os` that real Facter finds with the /etc of a root directory, without the program lsb_release of this
 * machine. What depends on the kernel that runs is left out: SELinux, and the release of Arch Linux.
 */
export function facterInRoot(root: string): unknown {
  const script =
    'mount --bind "$0/etc" /etc && mount --bind /dev/null "$(command -v lsb_release)"; exec facter --json os'
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, root], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return withoutKernel((JSON.parse(stdout) as { os: OsFact }).os)
}

/** The fact `os`, as far as these tests look into it. */
export interface OsFact {
  readonly name?: string
  readonly release?: unknown
  readonly selinux?: unknown
}

/** The fact `os` without what depends on the kernel that runs. */
export function withoutKernel({ selinux: _, release, ...os }: OsFact): unknown {
  return os.name === 'Archlinux' ? os : { ...os, release }
}
