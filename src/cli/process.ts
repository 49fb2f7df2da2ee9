import '../base/threads/debugger.ts'
// The import above comes first, so that it handles a signal that arrives during the start.
import { getSystemErrorCode } from '../base/system-error.ts'
import { buildSearchPath } from '../machine/system/search-path.ts'
import { createWriter } from './command/terminal.ts'
import { getProgramName, selectPuppetFolders } from './names/program-name.ts'
import { runCommandLine } from './program.ts'

/** Prepares this process and runs its command line. Returns the exit status. */
export function runProcess(): Promise<number> {
  // Files are not writable for other users, whatever umask the process inherited. Files with secrets have their own mode.
  process.umask(process.umask(0o022) | 0o022)
  const { argv, env, stdin, stdout, stderr } = process
  // For all child processes and threads. Puppet: defaults.rb, the setting path.
  env.PATH = buildSearchPath(env.PATH)
  // A closed pipe (`plumb … | head`) is not an error.
  stdout.on('error', (error) => {
    if (getSystemErrorCode(error) === 'EPIPE') process.exit(0)
    throw error
  })
  const name = getProgramName(argv[1])
  selectPuppetFolders(name, env)
  const io = {
    stdin,
    out: createWriter(stdout),
    err: createWriter(stderr),
    terminal: Boolean(stdout.isTTY),
    errTerminal: Boolean(stderr.isTTY),
    columns: stdout.isTTY ? stdout.columns : undefined,
    color: (Boolean(stdout.isTTY) || env.FORCE_COLOR === '1') && !env.NO_COLOR,
  }
  return runCommandLine(argv.slice(2), io, name)
}
