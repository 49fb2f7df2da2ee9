import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { startChildProcess } from '../../base/program/child-process.ts'
import { localFiles } from '../../machine/system/files.ts'
import { apply } from '../apply/apply.ts'
import type { CommandInvocation } from '../command/command.ts'

const issues = defineIssues({
  EDITOR_FAILED: {
    text: (a: { editor: string; why: string }) => `Could not edit with '${a.editor}': ${a.why}; nothing was applied`,
    hint: () => 'Set VISUAL or EDITOR to your editor.',
  },
})

/** Opens a manifest in an editor, applies the edited file, and returns the exit status. Only the owner can read the file. */
export async function editAndApply(
  text: string,
  { settings, io }: Pick<CommandInvocation, 'settings' | 'io'>,
): Promise<number> {
  // The file is in the current directory, as in Puppet. In a shared directory, other users could
  // replace the file.
  const path = resolve(`x2puppet-${randomBytes(6).toString('hex')}.pp`)
  await localFiles.write(path, text, 0o600)
  try {
    await openEditor(path)
    const options = { verbose: true }
    return (await apply.run?.({ args: [path], options, settings, io })) ?? 0
  } finally {
    await rm(path, { force: true })
  }
}

/** Opens a file in the user's editor, and waits for its end. Throws EDITOR_FAILED. */
async function openEditor(path: string): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi'
  const [program = '', ...words] = editor.split(/\s+/).filter((word) => word !== '')
  const child = startChildProcess(() => spawn(program, [...words, path], { stdio: 'inherit' }))
  const trouble = await new Promise<string | undefined>((done) => {
    child.once('error', ({ message }) => done(message))
    child.once('exit', (status, signal) => done(status === 0 ? undefined : `exit status ${status ?? signal}`))
  })
  if (trouble !== undefined) throwIssue(issues.EDITOR_FAILED, { editor, why: trouble })
}
