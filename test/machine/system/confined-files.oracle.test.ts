import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { whyNotMount } from '../../support/may-mount.ts'
import { without } from '../../support/needs.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { forests, readPaths, writeForest } from './link-forests.ts'

const missing = without('Facter') || whyNotMount()

/** Ruby reads all paths of each root after chroot(2). */
const script = `
require 'json'
answers = JSON.parse($stdin.read).map do |root, paths|
  reader, writer = IO.pipe
  fork do
    Dir.chroot(root)
    Dir.chdir('/')
    writer.write(paths.to_h { |path| [path, (File.read(path) rescue nil)] }.compact.to_json)
    writer.close
    exit!
  end
  writer.close
  JSON.parse(reader.read)
end
puts answers.to_json
`

describe.skipIf(missing)(`confined files${missing}`, () => {
  it('are those that a process finds after chroot', async () => {
    const roots = fc.sample(forests, 100).map((forest) => {
      const root = join(scratchFolder('forest'), 'root')
      return [root, writeForest(root, forest)] as const
    })
    const { stdout, stderr } = spawnSync('unshare', ['-r', 'ruby', '-e', script], { input: JSON.stringify(roots) })
    expect(String(stderr)).toBe('')
    const real = JSON.parse(String(stdout)) as unknown[]
    const own = await Promise.all(roots.map(([root, paths]) => readPaths(root, paths)))
    expect(JSON.parse(JSON.stringify(own))).toEqual(real)
  })
})
