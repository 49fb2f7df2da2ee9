import { execFileSync } from 'node:child_process'

/** Why this user may not mount a file system of its own, for the name of a test that is left out; empty where it may. */
export function whyNotMount(): string {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return ''
  } catch {
    return ' (left out: this user may not mount)'
  }
}
