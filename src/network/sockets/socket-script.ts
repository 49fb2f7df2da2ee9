import { pathToFileURL } from 'node:url'
import { resolveScriptPath } from '../../base/program/script-path.ts'

/** URL of the script of the thread that opens sockets for Ruby code on a node. */
export const socketScript = pathToFileURL(resolveScriptPath(new URL('./socket-thread.js', import.meta.url))).href
