#!/usr/bin/env node
import { systemCode } from './base/system-error.ts'
import './base/threads/no-debugger.ts'
import { writerTo } from './cli/command/terminal.ts'
// The one above is the first, so that no signal comes before it.
import { nameOf, takeFoldersOf } from './cli/names/called-as.ts'
import { run } from './cli/program.ts'
import { searchPath } from './machine/system/search-path.ts'

// What we make is not for others to write, whoever started us; files that say more have a mode of their own.
process.umask(process.umask(0o022) | 0o022)

const { argv, env, stdin, stdout, stderr } = process

// For all that we start, threads and other processes of ours among it. Puppet: defaults.rb, the setting path.
env.PATH = searchPath(env.PATH)

// A reader that went away (`plumb … | head`) is no error of ours.
stdout.on('error', (error) => {
  if (systemCode(error) === 'EPIPE') process.exit(0)
  throw error
})

const name = nameOf(argv[1])
takeFoldersOf(name, env)

const io = {
  stdin,
  out: writerTo(stdout),
  err: writerTo(stderr),
  terminal: Boolean(stdout.isTTY),
  errTerminal: Boolean(stderr.isTTY),
  columns: stdout.isTTY ? stdout.columns : undefined,
  color: (Boolean(stdout.isTTY) || env.FORCE_COLOR === '1') && !env.NO_COLOR,
}
process.exitCode = await run(argv.slice(2), io, name)
