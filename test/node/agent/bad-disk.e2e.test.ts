import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** True where a file system can be mounted that nobody else sees. */
const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const withoutMounts = canMount ? '' : ' (left out: this user may not mount)'

const folder = scratchFolder('disk')
const disk = join(folder, 'disk')
const big = '0123456789abcdef\n'.repeat(20_000)
const source = join(folder, 'big')
mkdirSync(disk)
writeFileSync(source, big)

/**
 * Runs shell code in a world where the folder `disk` is a file system of its own, so many KiB large. `converge` applies the
 * manifest and prints its status; `shown` prints each file of the disk: its name, its bytes and its beginning.
 */
function inWorld(kib: number, manifest: string, code: string): string {
  writeFileSync(join(folder, 'site.pp'), manifest)
  const script = `
    mount -t tmpfs -o size=${kib}k none "$disk"
    converge() {
      "$node" "$main" apply --confdir "$folder/etc" --vardir "$var" --publicdir "$var/public" --detailed-exitcodes \\
        --color false "$folder/site.pp" 2>&1
      echo "status $?"
    }
    shown() { for f in $(ls -A "$disk"); do echo "$f $(wc -c < "$disk/$f") $(head -c 3 "$disk/$f")"; done; }
    ${code}`
  const env = { ...process.env, node: process.execPath, main: plumbMain, folder, disk, var: join(folder, 'var') }
  return execFileSync('unshare', ['-m', 'sh', '-c', script], { env, encoding: 'utf8' })
}

/** A pattern of these texts, in this order. */
function matching(...texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*'))
}

const three = `
  file { '${disk}/a': content => 'new' }
  file { '${disk}/big': source => '${source}' }
  file { '${disk}/c': content => 'new' }`

describe.skipIf(!canMount)(`a disk${withoutMounts}`, () => {
  it('that is full: what fits is there, and what does not is as it was; the next run with room converges', () => {
    const said = inWorld(
      100,
      three,
      'printf old > "$disk/big"; converge; shown; mount -o remount,size=1000k "$disk"; converge; shown; converge',
    )
    const where = `File[${disk}/big]/content`
    expect(said).toMatch(
      matching(
        `Error: /Stage[main]/Main/${where}: change from`,
        ` failed: No space left on device - ${disk}/big\n`,
        `File[${disk}/c]/ensure: defined content`,
        'status 6\na 3 new\nbig 3 old\nc 3 new\n',
        `${where}: content changed`,
        'status 2\na 3 new\nbig 340000 012\nc 3 new\n',
        'status 0\n',
      ),
    )
  })

  it('that may not be written: all else is applied', () => {
    const said = inWorld(
      100,
      `${three}\n file { '${folder}/elsewhere': content => 'new' }`,
      'printf old > "$disk/a"; mount -o remount,ro "$disk"; converge; shown; mount -o remount,rw,size=1000k "$disk"; converge; shown',
    )
    expect(said).toMatch(
      matching(
        ` failed: Read-only file system - ${disk}/a\n`,
        ` failed: Could not set 'file' on ensure: Read-only file system - ${disk}/c (file: ${folder}/site.pp, line: 4)\n`,
        `File[${folder}/elsewhere]/ensure: defined content`,
        'status 6\na 3 old\nNotice',
        'status 2\na 3 new\nbig 340000 012\nc 3 new\n',
      ),
    )
  })

  it('that has no room for what the agent remembers: the error says where, and resources are applied', () => {
    const said = inWorld(
      8,
      `file { '${folder}/applied': content => 'new' }`,
      'var="$disk/var"; converge; find "$disk" -name "*.tmp"; mount -o remount,size=1000k "$disk"; converge; converge',
    )
    expect(said).toMatch(
      matching(
        `File[${folder}/applied]/ensure: defined content`,
        `Error: Failed to apply catalog: No space left on device - ${disk}/var/`,
        'status 1\nNotice: Compiled',
        'status 0\n',
      ),
    )
  })
})
