import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../server/serving.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from '../gate/world.ts'

const path = 'modules/web/manifests/init.pp'
const good = "# web\nclass web {\n  notify { 'a': }\n}\n"
const quoted = '# web\nclass web {\n  notify { "b": }\n}\n'
const trailing = "# web\nclass web { \n  notify { 'c': }\n}\n"
const base: Edit = { 'manifests/site.pp': 'node default { notify { "legacy":  } }\n', [path]: good }

const createWorld = (...settings: readonly string[]) => new GateWorld(scratchFolder('quality'), base, {}, settings)

async function push(world: GateWorld, edit: Edit, ...words: readonly string[]) {
  const before = world.at()
  const commit = world.commit(edit)
  const { status, said } = await world.push([...words, 'HEAD:production'])
  return { status, said, hasMoved: world.at() === commit, isUnmoved: world.at() === before }
}

describe('a push whose manifests have problems', () => {
  it('is rejected for an error of the linter, and the branch does not move', async () => {
    const world = createWorld('--push_lint=refuse')
    const { status, said, isUnmoved } = await push(world, { [path]: trailing })
    expect([status, isUnmoved]).toEqual([1, true])
    expect(said).toContain(`Problems in the manifests that this push changes in production:
${path} - ERROR: trailing whitespace found on line 2 (check: trailing_whitespace)
Error: The push is rejected: plumb lint reports 1 error (push_lint = refuse)
  Run 'plumb lint --fix ${path}' to correct what it can.
`)
  })

  it('is rejected for a format', async () => {
    const world = createWorld('--push_format', 'warn,prod*=refuse')
    const { status, said, isUnmoved } = await push(world, { [path]: quoted })
    expect([status, isUnmoved]).toEqual([1, true])
    expect(said).toContain(`${path} is not formatted
Error: The push is rejected: 1 manifest is not formatted (push_format = refuse)
  Run 'plumb format ${path}' to correct them.
`)
  })

  it('is accepted with warnings, and for warnings of the linter', async () => {
    const world = createWorld('--push_format=warn', '--push_lint=refuse')
    const { status, said, hasMoved } = await push(world, { [path]: quoted })
    expect([status, hasMoved]).toEqual([0, true])
    expect(said).toContain('Warning: The push is accepted although plumb lint reports 1 warning (push_lint = refuse)')
    expect(said).toContain('Warning: The push is accepted although 1 manifest is not formatted (push_format = warn)')
  })

  it('is accepted if the problems were there before, in moved files too', async () => {
    const world = createWorld('--push_format=refuse', '--push_lint=refuse')
    const moved = { 'manifests/site.pp': undefined, 'manifests/nodes.pp': base['manifests/site.pp'] }
    expect(await push(world, moved)).toMatchObject({ status: 0, hasMoved: true })
    expect((await world.push(['HEAD:refs/heads/feature'])).said).not.toContain('not formatted')
  })

  it('is not checked in other environments', async () => {
    const world = createWorld('--push_lint=staging=refuse')
    const { status, said } = await push(world, { [path]: trailing })
    expect([status, said.includes('plumb lint')]).toEqual([0, false])
  })

  it('prints twenty problems of many', async () => {
    const world = createWorld('--push_lint=refuse')
    const { said } = await push(world, { [path]: `# web\nclass web {\n${'  notice(1) \n'.repeat(30)}}\n` })
    expect(said.match(/trailing whitespace found/g)).toHaveLength(20)
    expect(said).toContain('… and 10 more problems')
  })

  it('is checked with the modules of the pushed commit', async () => {
    const world = createWorld('--push_lint=refuse', '--gate=off')
    const { said, status } = await push(world, {
      '.puppet-lint.rc': '--semantic\n',
      [path]: '# web\nclass web {\n  include web::servce\n}\n',
    })
    expect(said).toContain(`${path} - ERROR: unknown class 'web::servce' on line 3 (check: unknown_class)`)
    expect(status).toBe(1)
  })

  it('can skip the checks only if gate_skip allows it', async () => {
    const skip = '--push-option=plumb.skip-gate'
    const denied = await push(createWorld('--push_lint=refuse'), { [path]: trailing }, skip)
    expect([denied.status, denied.isUnmoved]).toEqual([1, true])
    const allowed = await push(createWorld('--push_lint=refuse', '--gate_skip'), { [path]: trailing }, skip)
    expect([allowed.status, allowed.hasMoved]).toEqual([0, true])
    expect(allowed.said).toContain('Warning: The manifests were not linted and formatted (push option plumb.skip-gate)')
  })
})

describe('two thousand changed manifests', () => {
  it('are checked within the time limit', async () => {
    const world = createWorld('--push_lint=refuse', '--push_format=refuse', '--gate=off')
    const names = Array.from({ length: 2000 }, (_, index) => `c${index}`)
    const body = "  file { '/x':\n    ensure => file,\n    mode   => '0644',\n  }\n".repeat(5)
    const files = names.map((name) => [`modules/web/manifests/${name}.pp`, `# web\nclass web::${name} {\n${body}}\n`])
    const begun = performance.now()
    const { status, said } = await push(world, Object.fromEntries(files))
    expect(said).not.toContain('not checked')
    expect([status, performance.now() - begun < 60_000]).toEqual([0, true])
  }, 120_000)
})

describe('a hostile rc file in a push', () => {
  it('writes nothing, and reads nothing else', async () => {
    const world = createWorld('--push_lint=refuse')
    const target = join(world.folder, 'report')
    const rc = `--fix\n--config=/etc/passwd\n--codeclimate-report-file=${target}\n--relative\n`
    const listing = readdirSync(world.folder)
    expect(await push(world, { '.puppet-lint.rc': rc, [path]: quoted })).toMatchObject({ status: 0, hasMoved: true })
    expect(readdirSync(world.folder)).toEqual(listing)
    expect(statSync(join(world.work, path)).size).toBe(quoted.length)
  })
})

describe('the audit log', () => {
  let serving: Serving | undefined
  afterEach(async () => {
    await serving?.stop()
    serving = undefined
  })

  it('contains the results of the linter and the formatter', async () => {
    const world = createWorld('--push_lint=warn', '--push_format=refuse')
    serving = await serve(world.serverSettings)
    await push(world, { [path]: trailing })
    const folder = join(world.folder, 'vardir/audit')
    const read = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('')
    await expect.poll(read).toContain('"kind":"push"')
    const records = read()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))))
    expect(records).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'push', result: 'refused', lint: 'warned', format: 'refused' },
        reason: 'The push is rejected: 1 manifest is not formatted (push_format = refuse)',
      }),
    )
  })
})

describe('plumb code check', () => {
  it('prints the findings of a range as JSON', async () => {
    const world = createWorld('--push_lint=warn', '--push_format=refuse', '--gate=off')
    world.commit({ [path]: trailing })
    world.git('push', '-q', world.bare, 'HEAD:refs/tags/next')
    const said = await world.asking(
      'code',
      'check',
      'production..refs/tags/next',
      '--repo',
      world.bare,
      '--render-as',
      'json',
    )
    expect(JSON.parse(said)).toContainEqual(
      expect.objectContaining({
        ...{ environment: 'production', push_lint: 'warn', push_format: 'refuse', refused: ['format'] },
        problems: [
          expect.objectContaining({ path, tool: 'lint', check: 'trailing_whitespace', line: 2 }),
          expect.objectContaining({ path, tool: 'format' }),
        ],
      }),
    )
  })
})
