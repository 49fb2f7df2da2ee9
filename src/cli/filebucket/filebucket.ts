import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { access, constants, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fail, PuppetError } from '../../base/issue.ts'
import { isMissing, systemCode } from '../../base/system-error.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { type Command, defineCommand, type Invocation } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { withServer } from '../connection/server-session.ts'
import { type Bucket, folderBucket, serverBucket } from './buckets.ts'
import { filebucketIssues } from './issues.ts'
import { listBackups } from './list.ts'

const whichOptions = [
  { flags: '-l, --local', doc: 'Use the bucket of this machine (clientbucketdir).' },
  { flags: '-r, --remote', doc: 'Use the bucket of the server (default).' },
  { flags: '-b, --bucket <folder>', doc: 'Use the bucket in this directory.' },
] as const satisfies readonly Option[]

type Asked = Invocation<typeof whichOptions>

const action = (name: string, summary: string, usage: string, run: (asked: Asked) => Promise<number>): Command =>
  defineCommand({ name, summary, usage, options: whichOptions, run })

/** `plumb filebucket` */
export const filebucket: Command = {
  name: 'filebucket',
  summary: 'Store, list and restore old versions of files.',
  description: `An agent run stores a backup of each file that it overwrites, if the catalog configures a bucket, and logs its checksum.
The bucket is that of the server, or with --local or --bucket one on this machine. Checksums use digest_algorithm.

  plumb filebucket list --local --fromdate 2026-11-01
  plumb filebucket restore --local /etc/ntp.conf 185f8db3…
  plumb filebucket diff 185f8db3… /etc/ntp.conf
  plumb filebucket backup /etc/ntp.conf`,
  commands: [
    action('get', 'Print the file with a checksum.', '<sum>', async (asked) => {
      const content = await inBucket(asked, (bucket) => bucket.get(asked.args[0] ?? ''))
      print(content, asked)
      return 0
    }),
    action('backup', 'Store files, and print their checksums.', '[files...]', backup),
    action('restore', 'Replace a file by the stored file with a checksum.', '<file> <sum>', restore),
    action('diff', 'Compare two files, each given by checksum or path.', '<a> <b>', async (asked) => {
      const [a = '', b = ''] = asked.args
      const difference = await inBucket(asked, (bucket) => compare(a, b, bucket))
      print(difference, asked)
      return 0
    }),
    defineCommand({
      name: 'list',
      summary: 'List the files in a bucket of this machine, with the times of their last backups.',
      options: [
        ...whichOptions,
        {
          flags: '-f, --fromdate <date>',
          doc: "List backups since this time: '2026-11-21', '2026-11-21 10:00', '21 Nov 2026', or '10:00' for today.",
        },
        { flags: '-t, --todate <date>', doc: 'List backups until this time.' },
      ],
      async run({ options, settings: given, io }) {
        const folder = folderOf(options, loadSettings({ given, runMode: 'agent' }))
        if (folder === undefined) fail(filebucketIssues.BUCKET_LIST_REMOTE, {})
        io.out(await listBackups(folder, { from: options.fromdate, to: options.todate }))
        return 0
      },
    }),
  ],
}

/** Prints content; binary content is written unchanged unless standard output is a terminal. */
function print(content: Uint8Array, { io }: Asked): void {
  if (isUtf8(content) || process.stdout.isTTY) io.out(Buffer.from(content).toString('utf8'))
  else process.stdout.write(content)
}

function folderOf({ bucket, local }: Asked['options'], { clientbucketdir }: Settings): string | undefined {
  return bucket === undefined ? (local === true ? clientbucketdir : undefined) : resolve(bucket)
}

async function inBucket<Result>(asked: Asked, work: (bucket: Bucket) => Promise<Result>): Promise<Result> {
  const settings = loadSettings({ given: asked.settings, runMode: 'agent' })
  const folder = folderOf(asked.options, settings)
  if (folder !== undefined) return work(folderBucket(folder, settings)).catch(failInWordsOfCommand)
  return withServer(settings, asked, (session) => work(serverBucket(session, settings)))
}

/** Adds Puppet's prefix to errors of the bucket. */
function failInWordsOfCommand(error: unknown): never {
  if (!(error instanceof PuppetError) || error.diagnostic.message.startsWith('Could not run: ')) throw error
  return fail(filebucketIssues.BUCKET_FAILED, { why: error.diagnostic.message })
}

async function backup(asked: Asked): Promise<number> {
  const { args, io } = asked
  if (args.length === 0) fail(filebucketIssues.BUCKET_NO_FILE, {})
  await inBucket(asked, async (bucket) => {
    for (const file of args) {
      const content = await readFile(file).catch((error: unknown) => {
        if (systemCode(error) === 'EISDIR') fail(filebucketIssues.BUCKET_DIRECTORY, { file })
        io.err(isMissing(error) ? `${file}: no such file\n` : `${file}: cannot read file\n`)
      })
      if (content === undefined) continue
      const sum = sumOf(content, asked)
      if (!(await bucket.has(sum))) await bucket.keep(sum, content, await realpath(file))
      io.out(`${file}: ${sum}\n`)
    }
  })
  return 0
}

function sumOf(content: Uint8Array, { settings: given }: Asked): string {
  const { digest_algorithm } = loadSettings({ given, runMode: 'agent' })
  return createHash(digest_algorithm).update(content).digest('hex')
}

/** Restores a file. An existing file keeps its mode and owner; the umask determines the mode of a new file. */
async function restore(asked: Asked): Promise<number> {
  const [file = '', sum = ''] = asked.args
  const now = await readFile(file).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error)))
  if (now !== undefined && sumOf(now, asked) === sum) return 0
  const content = await inBucket(asked, (bucket) => bucket.get(sum))
  await localFiles.write(await realpath(file).catch(() => resolve(file)), content)
  return 0
}

async function compare(a: string, b: string, bucket: Bucket): Promise<Uint8Array> {
  const [isFileA, isFileB] = [await isReadable(a), await isReadable(b)]
  if (!isFileA && !isFileB) return bucket.diff(a, b)
  const folder = await mkdtemp(join(tmpdir(), 'plumb-diff-'))
  try {
    const place = async (name: string, isFile: boolean, as: string): Promise<string> => {
      if (isFile) return resolve(name)
      const path = join(folder, as)
      await writeFile(path, await bucket.get(name), { mode: 0o600 })
      return path
    }
    return await difference(await place(a, isFileA, 'a'), await place(b, isFileB, 'b'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function difference(from: string, to: string): Promise<Uint8Array> {
  const options = { env: { LANG: 'C', LC_ALL: 'C' }, encoding: 'latin1' } as const
  const { status, stdout, stderr } = await localSystem.commands.run(['diff', '-u', from, to], options)
  if (status > 1) fail(filebucketIssues.BUCKET_DIFF_WHAT, { why: stderr.trim() })
  return Buffer.from(stdout, 'latin1')
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
