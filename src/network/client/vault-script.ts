import { pathToFileURL } from 'node:url'
import { resolveScriptPath } from '../../base/program/script-path.ts'

/** URL of the script of the thread that sends requests to Vault for Deferred values. */
export const vaultScript = pathToFileURL(resolveScriptPath(new URL('./vault-thread.js', import.meta.url))).href
