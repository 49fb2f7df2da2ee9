import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { defineCommand } from '../command/command.ts'
import { listCompletionWords } from './completion-words.ts'
import { buildBashScript, buildFishScript, buildZshScript } from './scripts.ts'

const scripts = { bash: buildBashScript, zsh: buildZshScript, fish: buildFishScript } as const

const shells = Object.keys(scripts)

const issues = defineIssues({
  UNKNOWN_SHELL: {
    text: (a: { name: string }) => `Unknown shell '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, shells) ?? `Supported shells: ${shells.join(', ')}.`,
  },
})

/** The command `plumb completion`. */
export const completion = defineCommand({
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  description: `The script completes commands, actions, options, settings and their values. The packages install it for bash, zsh and
fish; for other installations, load it in the configuration of your shell.

  source <(plumb completion bash)
  plumb completion zsh > ~/.zsh/completions/_plumb
  plumb completion fish > ~/.config/fish/completions/plumb.fish`,
  usage: '<shell>',
  async run({ args: [shell = ''], io }) {
    if (!Object.hasOwn(scripts, shell)) throwIssue(issues.UNKNOWN_SHELL, { name: shell })
    io.out(scripts[shell as keyof typeof scripts](await listCompletionWords()))
    return 0
  },
})
