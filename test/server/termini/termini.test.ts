import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { type Facts, factsFromWire, parseFactValues, toFactsDocument } from '../../../src/model/facts.ts'
import { createIndirection } from '../../../src/model/indirector/indirection.ts'
import { readModelText } from '../../../src/model/model-readers.ts'
import { createPlainNode, type PuppetNode } from '../../../src/model/node.ts'
import { reportFromWire } from '../../../src/model/report.ts'
import { negotiateChecksum } from '../../../src/server/termini/catalog/checksum-type.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { type BucketFile, fileBucketFile } from '../../../src/server/termini/file-bucket-file/index.ts'
import { createMemoryTerminus } from '../../../src/server/termini/memory-terminus.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { report } from '../../../src/server/termini/report/index.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { storesModels } from './stores-models.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('termini')
const { files, commands } = localSystem
const standard = loadSettings({ given: { certname: 'server.test', confdir: folder, vardir: folder } })

storesModels('memory', () => createMemoryTerminus<{ name: string; n: number }>(), {
  a: [
    { name: 'a', n: 1 },
    { name: 'a', n: 2 },
  ],
  b: { name: 'b', n: 3 },
  shown: ({ n }) => n,
})

describe('nodes', () => {
  const known: Facts = {
    name: 'a',
    values: { os: 'Debian', role: 'fact' },
    timestamp: undefined,
    expiration: undefined,
  }
  const read = async (text: Buffer) => toFactsDocument(factsFromWire(parseJson(text.toString())))
  const factsServices = { files, settings: { server_datadir: folder, yamldir: folder }, read, readText: readModelText }
  const valued = ({ facts: text, ...found }: PuppetNode) => ({ ...found, facts: text && parseFactValues(text) })
  const setUp = async (terminus: string) => {
    const stored = createIndirection(facts, factsServices, { terminus: 'memory' })
    await stored.save(toFactsDocument(known), { key: 'a' })
    const settings = { ...standard, server_datadir: folder, external_nodes: 'none' }
    return createIndirection(
      node,
      { facts: stored, system: localSystem, settings, readText: readModelText },
      { terminus },
    )
  }

  it('plain has every node, with its stored facts', async () => {
    const found = await (await setUp('plain')).find({ key: 'a', environment: 'test' })
    expect(found && valued(found)).toEqual({ ...createPlainNode('a', 'test'), facts: known.values })
  })

  it('plain prefers facts that came along', async () => {
    const fresh = toFactsDocument({ ...known, values: { os: 'Hurd' } })
    const found = await (await setUp('plain')).find({ key: 'a', environment: 'test', facts: fresh })
    expect(valued(found!).facts).toEqual({ os: 'Hurd' })
  })

  it('finds facts anew after each change, whoever asks at the same time', async () => {
    const stored = createIndirection(facts, factsServices, { terminus: 'json' })
    for (const os of ['Hurd', 'Linux']) {
      await stored.save(toFactsDocument({ ...known, values: { os } }), { key: 'a' })
      const found = await Promise.all([1, 2, 3].map(() => stored.find({ key: 'a' })))
      expect(found.map((each) => parseFactValues(each!.values))).toEqual(Array(3).fill({ os }))
    }
    await stored.destroy({ key: 'a' })
    expect(await stored.find({ key: 'a' })).toBeUndefined()
  })

  it('exec needs a program', async () => {
    await expect(setUp('exec')).rejects.toThrow("You must set the 'external_nodes' parameter")
  })

  it.each(['json', 'yaml', 'memory'])('%s keeps what was classified', async (terminus) => {
    const nodes = await setUp(terminus)
    const parameters = { yes: 'no', size: 3, none: null, list: ['1e3', true, { x: 'a: b\n' }] }
    const one: PuppetNode = {
      ...createPlainNode('a', 'test'),
      classes: { ntp: { servers: ['x'] }, apt: null },
      parameters,
    }
    await nodes.save(one, { key: 'a' })
    expect(await nodes.find({ key: 'a' })).toEqual(one)
    await nodes.destroy({ key: 'a' })
    expect(await nodes.find({ key: 'a' })).toBeUndefined()
  })

  describe('in YAML', () => {
    const place = (name: string) => join(standard.yamldir, 'node', `${name}.yaml`)
    const written = async (text: string) => {
      const nodes = await setUp('yaml')
      await nodes.save(createPlainNode('w', 'test'), { key: 'w' })
      writeFileSync(place('w'), text)
      return nodes
    }

    it('may be written by hand, without a tag', async () => {
      const nodes = await written('name: w\nclasses: [ntp]\n')
      expect(await nodes.find({ key: 'w' })).toEqual({ ...createPlainNode('w', undefined), classes: ['ntp'] })
    })

    it.each([
      ['name: !ruby/object:Gem::Installer {}', 'Tried to load unspecified class: Gem::Installer'],
      ['--- !ruby/object:Puppet::Nodes\nname: w\n', 'Tried to load unspecified class: Puppet::Nodes'],
      ['name: w\nclasses: 3\n', 'node.classes must be an object'],
      ['- w\n', 'node must be an object'],
      [`name: ${'w'.repeat(budgets.request.nodeFile.bound)}\n`, 'exceeds 262144'],
    ])('say what is wrong with %.40j', async (text, message) => {
      await expect((await written(text)).find({ key: 'w' })).rejects.toThrow(message)
    })

    it.each(['../w', 'a/../w', '/etc/passwd', '.w'])('never lead out of their folder: %j', async (key) => {
      const nodes = await setUp('yaml')
      await expect(nodes.find({ key })).rejects.toThrow('Invalid key for node')
      await expect(nodes.save(createPlainNode(key, 'test'), { key })).rejects.toThrow('Invalid key for node')
    })

    it("are real Puppet's, both ways", async () => {
      const nodes = await setUp('yaml')
      const parameters = { yes: 'no', size: 3, list: ['1e3', true, { x: 'a: b\n' }] }
      const ours: PuppetNode = {
        ...createPlainNode('ours', 'production'),
        classes: { ntp: { servers: ['x'] } },
        parameters,
      }
      await nodes.save(ours, { key: 'ours' })
      const script = `require 'puppet'
        Puppet.initialize_settings(['--confdir', ARGV[0], '--vardir', ARGV[0], '--yamldir', ARGV[1]])
        Puppet.settings.preferred_run_mode = :server
        Puppet::Node.indirection.terminus_class = :yaml
        found = Puppet::Node.indirection.find('ours')
        other = Puppet::Node.new('theirs', environment: found.environment_name, classes: found.classes, parameters: found.parameters)
        Puppet::Node.indirection.save(other)
        print found.to_data_hash.to_json`
      const { stdout, stderr, theirs } = puppet.one('a node', [script, readFileSync(place('ours'), 'utf8')], () => {
        const run = ['-W0', '-e', script, join(folder, 'real'), standard.yamldir]
        const { stdout, stderr } = spawnSync('ruby', run, { encoding: 'utf8' })
        return { stdout, stderr, theirs: readFileSync(place('theirs'), 'utf8') }
      })
      writeFileSync(place('theirs'), theirs)
      const { name, environment, classes } = ours
      const read = JSON.parse(stdout || 'null')
      expect({ stderr, read }).toEqual({ stderr: '', read: { name, environment, classes, parameters } })
      expect(readFileSync(place('theirs'), 'utf8')).toMatch(/^--- !ruby\/object:Puppet::Node\n/)
      expect(await nodes.find({ key: 'theirs' })).toEqual({ ...ours, name: 'theirs' })
    })
  })
})

describe('reports', () => {
  const reportdir = join(folder, 'reports')
  const sent = {
    host: 'a.test',
    time: '2026-11-21T10:56:11.123456789+00:00',
    status: 'changed',
    logs: [],
    metrics: {},
    resource_statuses: {},
  }
  const received = (body: object) => ({ ...reportFromWire(body), text: Buffer.from(JSON.stringify(body)) })
  const setUp = (reports: string[]) => {
    const said: string[] = []
    const log = (level: string, message: string) => void said.push(`${level} ${message}`)
    const nobody = () => Promise.reject(new Error('nobody is asked here'))
    return {
      said,
      reports: createIndirection(
        report,
        {
          files,
          log,
          web: nobody,
          readText: readModelText,
          settings: { ...standard, reports, reportdir, report_min_free_space: 0, reporturl: '' },
        },
        { terminus: 'processor' },
      ),
    }
  }

  it('are stored by host and time, the same one once', async () => {
    const { reports } = setUp(['store'])
    await reports.save(received(sent), { key: 'a.test' })
    await reports.save(received(sent), { key: 'a.test' })
    expect(readdirSync(join(reportdir, 'a.test'))).toEqual(['20261121105611123.yaml'])
    const kept = readFileSync(join(reportdir, 'a.test', '20261121105611123.yaml'), 'utf8')
    const [head, ...lines] = kept.split('\n')
    expect(head).toBe('--- !ruby/object:Puppet::Transaction::Report')
    expect(parseYaml(lines.join('\n'))).toEqual(sent)
  })

  it('are stored with their numbers as they came', async () => {
    const text = formatExactJson({ ...sent, host: 'b.test' }).replace(
      '"metrics":{}',
      '"metrics":{"10":1.0,"9":1152921504606846977}',
    )
    const report = { ...reportFromWire(parseJson(text)), text: Buffer.from(text) }
    await setUp(['store']).reports.save(report, { key: 'b.test' })
    const kept = readFileSync(join(reportdir, 'b.test', '20261121105611123.yaml'), 'utf8')
    expect(kept).toContain('metrics:\n  "10": 1.0\n  "9": 1152921504606846977\n')
  })

  it('are stored so that real Puppet reads them', async () => {
    const full = {
      ...sent,
      host: 'c.test',
      report_format: 12,
      puppet_version: '8.10.0',
      configuration_version: 1,
      transaction_uuid: 'u',
      transaction_completed: true,
      noop: false,
      noop_pending: false,
      environment: 'production',
      corrective_change: false,
      logs: [
        {
          level: 'err',
          message: 'a: "b"\n\tü\u0085 #',
          source: 'Puppet',
          tags: ['x'],
          time: sent.time,
          file: null,
          line: 7,
        },
      ],
      metrics: { time: { name: 'time', label: 'Time', values: [['total', 'Total', 0.25]] } },
    }
    await setUp(['store']).reports.save(received(full), { key: 'c.test' })
    const script = `require 'puppet'
      report = YAML.unsafe_load_file(ARGV[0])
      abort report.class.name unless report.is_a?(Puppet::Transaction::Report)
      print report.to_data_hash.to_json`
    const file = join(reportdir, 'c.test', '20261121105611123.yaml')
    const { stdout, stderr } = puppet.one('a report', [script, readFileSync(file, 'utf8')], () => {
      const { stdout, stderr } = spawnSync('ruby', ['-W0', '-e', script, file], { encoding: 'utf8' })
      return { stdout, stderr }
    })
    expect({ stderr, read: JSON.parse(stdout || 'null') }).toMatchObject({ stderr: '', read: full })
  })

  it('are logged', async () => {
    const { reports, said } = setUp(['log'])
    const logs = [
      { level: 'err', message: 'no disk', source: 'Stage[main]', tags: [], time: '', file: null, line: null },
    ]
    await reports.save(received({ ...sent, logs }), { key: 'a.test' })
    expect(said).toEqual(['err //a.test/Stage[main]: no disk'])
    const [log] = logs
    const wild = received({ ...sent, logs: [{ ...log, message: 'a\n\u001b[31mb' }] })
    await reports.save({ ...wild, unsaid: 3 }, { key: 'a.test' })
    expect(said.slice(1)).toEqual([
      'err //a.test/Stage[main]: a\\x0a\\x1b[31mb',
      'notice //a.test/Puppet: 3 more lines are omitted',
    ])
  })

  it('never leave their folder', async () => {
    const { reports } = setUp(['store'])
    await expect(reports.save(received({ ...sent, host: '../x' }), { key: 'a' })).rejects.toThrow('Invalid key')
    await expect(reports.save(received({ ...sent, time: '../x' }), { key: 'a' })).rejects.toThrow('Invalid key')
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  it('name processors that are there', () => {
    expect(() => setUp(['stor'])).toThrow("No report named 'stor'")
    expect(() => setUp(['toString'])).toThrow("No report named 'toString'")
  })

  it.each([
    [[], 'report must be an object'],
    [{ ...sent, host: 1 }, 'report.host must be a string'],
    [{ ...sent, logs: undefined }, 'report.logs must be an array'],
    [{ ...sent, logs: [{ level: 'x' }] }, 'report.logs[0].message must be a string'],
    [{ ...sent, metrics: [] }, 'report.metrics must be an object'],
  ])('are refused when malformed: %j', (body, message) => expect(() => reportFromWire(body)).toThrow(message))
})

describe('the bucket', () => {
  const settings = {
    bucketdir: join(folder, 'bucket'),
    digest_algorithm: 'sha256',
    bucket_max_file_size: 1024,
    bucket_min_free_space: 0,
  }
  const bucket = createIndirection(fileBucketFile, { files, commands, settings }, { terminus: 'file' })
  const sum = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

  /** A file that comes in pieces of one character. */
  const upload = (text: string, size = text.length): BucketFile => ({ size, content: pieces(text) })
  async function* pieces(text: string) {
    for (const char of text) yield Buffer.from(char)
  }
  const contentOf = async (key: string) => {
    const found = await bucket.find({ key })
    return found && Buffer.concat(await Readable.from(found.content).toArray()).toString()
  }
  const left = () => readdirSync(join(settings.bucketdir, '.uploads'))

  it('keeps bytes by the checksum they have', async () => {
    await bucket.save(upload('abc'), { key: `sha256/${'0'.repeat(64)}/etc/x` })
    await bucket.save(upload('abc'), { key: `sha256/${sum}/etc/y` })
    expect(await contentOf(`sha256/${sum}`)).toBe('abc')
    expect(await bucket.find({ key: `sha256/${sum}/etc/x` })).toBeDefined()
    expect(await bucket.find({ key: `sha256/${sum}/etc/z` })).toBeUndefined()
    expect(await bucket.find({ key: `sha256/${'0'.repeat(64)}` })).toBeUndefined()
    const place = join(settings.bucketdir, 'b/a/7/8/1/6/b/f', sum)
    expect(readFileSync(join(place, 'paths'), 'utf8')).toBe('etc/x\netc/y\n')
  })

  it('keeps all paths of files that come at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `srv/${index}`)
    await Promise.all(names.map((name) => bucket.save(upload('same'), { key: `sha256/${sum}/${name}` })))
    const same = createHash('sha256').update('same').digest('hex')
    const paths = readFileSync(join(settings.bucketdir, ...same.slice(0, 8), same, 'paths'), 'utf8')
    expect(paths.trim().split('\n').sort()).toEqual(names.sort())
  })

  it('forgets the oldest of very many paths', async () => {
    const name = (index: number) => `${'x'.repeat(4000)}${index}`
    for (let index = 0; index < 20; index++) await bucket.save(upload('many'), { key: `sha256/${sum}/${name(index)}` })
    const many = createHash('sha256').update('many').digest('hex')
    expect(await contentOf(`sha256/${many}/${name(19)}`)).toBe('many')
    expect(await contentOf(`sha256/${many}/${name(0)}`)).toBeUndefined()
  })

  it.each([
    ['says that it is larger than is taken', upload('abc', 1025), "exceeds the file bucket's limit of 1024 bytes"],
    ['turns out to be larger', upload('x'.repeat(1025), 0), "exceeds the file bucket's limit of 1024 bytes"],
  ])('leaves nothing of a file that %s', async (_, file, message) => {
    await expect(bucket.save(file, { key: `sha256/${sum}/etc/large` })).rejects.toThrow(message)
    expect([left(), await bucket.find({ key: `sha256/${sum}/etc/large` })]).toEqual([[], undefined])
  })

  it('leaves some of its disk free', async () => {
    const greedy = { ...settings, bucket_min_free_space: Number.MAX_SAFE_INTEGER }
    const full = createIndirection(fileBucketFile, { files, commands, settings: greedy }, { terminus: 'file' })
    await expect(full.save(upload('abc'), { key: `sha256/${sum}` })).rejects.toThrow('too little free space')
  })

  it('receives a limited number of files at once', async () => {
    const receiving = createIndirection(fileBucketFile, { files, commands, settings }, { terminus: 'file' })
    let end = () => {}
    const ended = new Promise<void>((done) => (end = done))
    let begun = 0
    async function* slow() {
      begun++
      await ended
      yield Buffer.from('slow')
    }
    const key = `sha256/${createHash('sha256').update('slow').digest('hex')}`
    const { bound } = budgets.request.bucketUploads
    const uploads = Array.from({ length: bound }, () => receiving.save({ size: 4, content: slow() }, { key }))
    await expect.poll(() => begun).toBe(bound)
    await expect(receiving.save(upload('abc'), { key })).rejects.toThrow('The file bucket is busy')
    end()
    await Promise.all(uploads)
    await receiving.save(upload('slow'), { key })
  })

  describe('compares', () => {
    const sumOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
    const roomy = { ...settings, bucket_max_file_size: 2 ** 30 }
    const compared = createIndirection(fileBucketFile, { files, commands, settings: roomy }, { terminus: 'file' })
    const kept = async (content: string | Uint8Array) => {
      const sum = sumOf(content)
      const bytes = Buffer.from(content)
      await compared.save({ size: bytes.length, content: Readable.from([bytes]) }, { key: `sha256/${sum}` })
      return sum
    }
    const diff = async (from: string | Uint8Array, to: string | Uint8Array, bucket = compared) => {
      const found = await bucket.find({ key: `sha256/${await kept(from)}`, diffWith: await kept(to) })
      return Buffer.concat(await Readable.from(found!.content).toArray())
    }

    it.each([sumOf('never sent'), '../../../etc/passwd', '', 'x'.repeat(64)])('not with %j', async (diffWith) => {
      const asked = compared.find({ key: `sha256/${await kept('a\n')}`, diffWith })
      await expect(asked).rejects.toThrow(`could not find diff_with ${diffWith}`)
      expect(await compared.find({ key: `sha256/${sumOf('nothing')}`, diffWith })).toBeUndefined()
    })

    it('few at once, and none for long', async () => {
      const ended: (() => void)[] = []
      const answer = { status: 0, stdout: '', stderr: '', output: '', timedOut: false }
      const run = () => new Promise<typeof answer>((done) => ended.push(() => done(answer)))
      const slow = createIndirection(
        fileBucketFile,
        { files, commands: { run }, settings: roomy },
        { terminus: 'file' },
      )
      const { bound } = budgets.request.bucketDiffs
      const asked = Array.from({ length: bound }, () => diff('a', 'b', slow))
      await expect.poll(() => ended.length).toBe(bound)
      await expect(diff('a', 'b', slow)).rejects.toThrow('is busy')
      for (const end of ended) end()
      await Promise.all(asked)
      const late = { run: async () => ({ ...answer, status: 137, timedOut: true }) }
      const never = createIndirection(fileBucketFile, { files, commands: late, settings: roomy }, { terminus: 'file' })
      await expect(diff('a', 'b', never)).rejects.toThrow('differ too much')
    })
  })

  it('removes what a crash left behind', async () => {
    const abandoned = join(settings.bucketdir, '.uploads/.a.tmp')
    writeFileSync(abandoned, 'half')
    utimesSync(abandoned, 1, 1)
    const again = createIndirection(fileBucketFile, { files, commands, settings }, { terminus: 'file' })
    await again.save(upload('abc'), { key: `sha256/${sum}` })
    expect(left()).toEqual([])
  })

  it.each([
    ['md5/abc', 'Unsupported checksum type "md5"'],
    ['sha256/zz', 'Invalid checksum "zz"'],
    ['sha256/../../x', 'Invalid checksum ".."'],
    [`sha256/${'a'.repeat(63)}`, 'Invalid checksum'],
  ])('refuses %s', async (key, message) => await expect(bucket.find({ key })).rejects.toThrow(message))
})

describe('the checksum type', () => {
  it.each([
    ['sha256.sha384.md5', 'sha256'],
    ['sha9.md5.sha256', 'md5'],
  ])('of an agent that knows %s is %s', (agent, type) => expect(negotiateChecksum(agent)).toBe(type))

  it.each(['', 'x.y', undefined])('must be common: %j', (agent) => {
    expect(() => negotiateChecksum(agent)).toThrow(
      `Unable to find a common checksum type between agent '${agent ?? ''}' and master '[:sha256, :sha256lite, :md5, :md5lite, :sha1, :sha1lite, :sha512, :sha384, :sha224, :mtime, :ctime, :none, :etag]'.`,
    )
  })
})
