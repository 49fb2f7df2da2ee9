import { spawn } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plumbMain } from '../plumb.ts'
import { scratchFolder } from '../scratch-folder.ts'

/** Folder that `install.sh` fills: `node.exe`, and `prefix`, a system of Wine in which nothing was installed. */
export const windowsFolder = '/var/cache/plumb-windows'

/** End and output of a program of Windows. */
export interface WindowsResult {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A Windows of its own for a suite: registry, services, users and drive C:. */
export interface WindowsMachine {
  /** The folder of drive C: on this machine. */
  readonly driveC: string
  /** Runs a program of Windows, for example `reg.exe`, to its end. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<WindowsResult>
  /** Runs the built `plumb` on Node for Windows. */
  plumb(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<WindowsResult>
  /** Ends all programs. */
  stop(): Promise<void>
}

/** The path of a file of this machine as Windows sees it: `Z:/tmp/x`. */
export const onDriveZ = (path: string): string => `Z:${path}`

/** What the agent prints on the standard error of Wine, which has no access lists. */
export const accessWarning =
  'Warning: Could not read the access list of C:/ProgramData/Plumbline: other users may have access\n'

/** Copies the prepared Windows into a folder of the suite. Files of Windows are shared, the registry is not. */
export async function startWindows(): Promise<WindowsMachine> {
  const folder = scratchFolder('windows')
  const prefix = join(folder, 'prefix')
  await end(spawn('cp', ['-al', join(windowsFolder, 'prefix'), prefix]))
  for (const name of ['system.reg', 'user.reg', 'userdef.reg']) {
    await end(spawn('rm', [join(prefix, name)]))
    cpSync(join(windowsFolder, 'prefix', name), join(prefix, name))
  }
  const variables = {
    PATH: `${process.env['PATH'] ?? ''}:/usr/lib/wine`,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    NODE_SKIP_PLATFORM_CHECK: '1',
    HOME: folder,
  }
  let count = 0
  const run: WindowsMachine['run'] = async (command, env = {}) => {
    // Node for Windows cannot write to the pipes of Wine; it can write to files.
    const files = ['stdout', 'stderr'].map((name) => join(folder, `${name}-${count}`))
    count += 1
    const [stdout = 0, stderr = 0] = files.map((file) => openSync(file, 'w'))
    const child = spawn('wine64', command, { env: { ...variables, ...env }, stdio: ['ignore', stdout, stderr] })
    for (const file of [stdout, stderr]) closeSync(file)
    const exitCode = await end(child)
    const [out = '', err = ''] = files.map((file) => readFileSync(file, 'utf8'))
    return { exitCode, stdout: out, stderr: err }
  }
  mkdirSync(join(prefix, 'drive_c/work'), { recursive: true })
  return {
    driveC: join(prefix, 'drive_c'),
    run,
    plumb: (words, env) => run([join(windowsFolder, 'node.exe'), onDriveZ(plumbMain), ...words], env),
    async stop() {
      await end(spawn('/usr/lib/wine/wineserver64', ['--kill'], { env: variables }))
      await end(spawn('/usr/lib/wine/wineserver64', ['--wait'], { env: variables }))
    },
  }
}

function end(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once('exit', done)
    child.once('error', failed)
  })
}
