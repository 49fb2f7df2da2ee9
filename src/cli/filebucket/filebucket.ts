import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { access, constants, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode, isMissingFileError } from '../../base/system-error.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { withServerSession } from '../connection/server-session.ts'
import { type Bucket, openFolderBucket, openServerBucket } from './buckets.ts'
import { filebucketIssues } from './issues.ts'
import { listBackups } from './list.ts'

const whichOptions = [
  { flags: '-l, --local', doc: 'Use the bucket of this machine (clientbucketdir).' },
  { flags: '-r, --remote', doc: 'Use the bucket of the server (default).' },
  { flags: '-b, --bucket <folder>', doc: 'Use the bucket in this directory.' },
] as const satisfies readonly Option[]

type Asked = CommandInvocation<typeof whichOptions>

const defineAction = (
  name: string,
  summary: string,
  usage: string,
  run: (asked: Asked) => Promise<number>,
): CliCommand => defineCommand({ name, summary, usage, options: whichOptions, run })

/** The command `plumb filebucket`. */
export const filebucketCommand: CliCommand = {
  name: 'filebucket',
  summary: 'Store, list and restore old versions of files.',
  description: `An agent run stores a backup of each file that it overwrites, if the catalog configures a bucket, and logs its checksum.
The commands use the bucket of the server, or with --local or --bucket a bucket on this machine. The setting
digest_algorithm determines the algorithm of checksums.

  plumb filebucket list --local --fromdate 2026-11-01
  plumb filebucket restore --local /etc/ntp.conf 185f8db3…
  plumb filebucket diff 185f8db3… /etc/ntp.conf
  plumb filebucket backup /etc/ntp.conf`,
  commands: [
    defineAction('get', 'Print the stored file that has the given checksum.', '<sum>', async (asked) => {
      const content = await withBucket(asked, (bucket) => bucket.get(asked.args[0] ?? ''))
      printContent(content, asked)
      return 0
    }),
    defineAction('backup', 'Store files, and print their checksums.', '[files...]', backupFiles),
    defineAction(
      'restore',
      'Replace a file with the stored file that has the given checksum.',
      '<file> <sum>',
      restoreFile,
    ),
    defineAction('diff', 'Compare two files, each given by checksum or path.', '<a> <b>', async (asked) => {
      const [a = '', b = ''] = asked.args
      const difference = await withBucket(asked, (bucket) => compareFiles(a, b, bucket))
      printContent(difference, asked)
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
        const folder = getBucketFolder(options, loadSettings({ given, runMode: 'agent' }))
        if (folder === undefined) throwIssue(filebucketIssues.BUCKET_LIST_REMOTE, {})
        io.out(await listBackups(folder, { from: options.fromdate, to: options.todate }))
        return 0
      },
    }),
  ],
}

/** Prints content; binary content is written unchanged unless standard output is a terminal. */
function printContent(content: Uint8Array, { io }: Asked): void {
  if (isUtf8(content) || process.stdout.isTTY) io.out(Buffer.from(content).toString('utf8'))
  else process.stdout.write(content)
}

function getBucketFolder({ bucket, local }: Asked['options'], { clientbucketdir }: Settings): string | undefined {
  return bucket === undefined ? (local === true ? clientbucketdir : undefined) : resolve(bucket)
}

async function withBucket<Result>(asked: Asked, work: (bucket: Bucket) => Promise<Result>): Promise<Result> {
  const settings = loadSettings({ given: asked.settings, runMode: 'agent' })
  const folder = getBucketFolder(asked.options, settings)
  if (folder !== undefined) return work(openFolderBucket(folder, settings)).catch(rethrowAsCommandError)
  return withServerSession(settings, asked, (session) => work(openServerBucket(session, settings)))
}

/** Adds Puppet's prefix to errors of the bucket. */
function rethrowAsCommandError(error: unknown): never {
  if (!(error instanceof PuppetError) || error.diagnostic.message.startsWith('Could not run: ')) throw error
  return throwIssue(filebucketIssues.BUCKET_FAILED, { why: error.diagnostic.message })
}

async function backupFiles(asked: Asked): Promise<number> {
  const { args, io } = asked
  if (args.length === 0) throwIssue(filebucketIssues.BUCKET_NO_FILE, {})
  await withBucket(asked, async (bucket) => {
    for (const file of args) {
      const content = await readFile(file).catch((error: unknown) => {
        if (getSystemErrorCode(error) === 'EISDIR') throwIssue(filebucketIssues.BUCKET_DIRECTORY, { file })
        io.err(isMissingFileError(error) ? `${file}: no such file\n` : `${file}: cannot read file\n`)
      })
      if (content === undefined) continue
      const sum = computeChecksum(content, asked)
      if (!(await bucket.has(sum))) await bucket.keep(sum, content, await realpath(file))
      io.out(`${file}: ${sum}\n`)
    }
  })
  return 0
}

function computeChecksum(content: Uint8Array, { settings: given }: Asked): string {
  const { digest_algorithm } = loadSettings({ given, runMode: 'agent' })
  return createHash(digest_algorithm).update(content).digest('hex')
}

/** Restores a file. An existing file keeps its mode and owner; the umask determines the mode of a new file. */
async function restoreFile(asked: Asked): Promise<number> {
  const [file = '', sum = ''] = asked.args
  const now = await readFile(file).catch((error: unknown) =>
    isMissingFileError(error) ? undefined : Promise.reject(error),
  )
  if (now !== undefined && computeChecksum(now, asked) === sum) return 0
  const content = await withBucket(asked, (bucket) => bucket.get(sum))
  await localFiles.write(await realpath(file).catch(() => resolve(file)), content)
  return 0
}

async function compareFiles(a: string, b: string, bucket: Bucket): Promise<Uint8Array> {
  const [isFileA, isFileB] = [await isReadable(a), await isReadable(b)]
  if (!isFileA && !isFileB) return bucket.diff(a, b)
  const folder = await mkdtemp(join(tmpdir(), 'plumb-diff-'))
  try {
    const fetchToFile = async (name: string, isFile: boolean, as: string): Promise<string> => {
      if (isFile) return resolve(name)
      const path = join(folder, as)
      await writeFile(path, await bucket.get(name), { mode: 0o600 })
      return path
    }
    return await runDiff(await fetchToFile(a, isFileA, 'a'), await fetchToFile(b, isFileB, 'b'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function runDiff(from: string, to: string): Promise<Uint8Array> {
  const options = { env: { LANG: 'C', LC_ALL: 'C' }, encoding: 'latin1' } as const
  const { status, stdout, stderr } = await localSystem.commands.run(['diff', '-u', from, to], options)
  if (status > 1) throwIssue(filebucketIssues.BUCKET_DIFF_WHAT, { why: stderr.trim() })
  return Buffer.from(stdout, 'latin1')
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
