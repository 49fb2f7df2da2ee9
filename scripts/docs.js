// Writes docs/settings.md and docs/commands.md from the tables that the program itself uses.
//   npm run docs          writes them
//   npm run docs -- --check   fails when they are not what would be written
import { readFileSync, writeFileSync } from 'node:fs'
import { commands } from '../dist/cli/commands.js'
import { agent } from '../dist/settings/definitions/agent.js'
import { ca } from '../dist/settings/definitions/ca.js'
import { core } from '../dist/settings/definitions/core.js'
import { server } from '../dist/settings/definitions/server.js'
import { ssl } from '../dist/settings/definitions/ssl.js'

const pages = { 'settings.md': settingsPage(), 'commands.md': await commandsPage() }
const check = process.argv.includes('--check')
for (const [name, text] of Object.entries(pages)) {
  const file = new URL(`../docs/${name}`, import.meta.url)
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`docs/${name} is not current: npm run docs`)
    process.exitCode = 1
  }
}

function settingsPage() {
  const sections = {
    'Every command': core,
    'Keys and certificates': ssl,
    'The certificate authority': ca,
    'The code server': server,
    'The agent': agent,
  }
  const lines = [
    '# Settings',
    '',
    'In `puppet.conf` (`[main]`, and `[server]`, `[agent]`, `[user]` which win over it), or on the command line of any command as',
    '`--name value`, and `--name` or `--no-name` for flags. `$name` in a value is another setting. `plumb config print` shows',
    'what holds, `plumb config explain` what it means.',
  ]
  for (const [title, definitions] of Object.entries(sections)) {
    lines.push('', `## ${title}`, '', '| setting | default | takes | what for |', '|---|---|---|---|')
    for (const [name, { kind, default: standard, doc }] of Object.entries(definitions))
      lines.push(`| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${kind.expects} | ${doc} |`)
  }
  return `${lines.join('\n')}\n`
}

async function commandsPage() {
  const lines = [
    '# Commands',
    '',
    '`plumb <command> [options]`. Every command takes `--help`, `--debug`, `--verbose`, and any setting as an option. Exit status',
    '0 is success, 1 a failure, 2 a command line that makes no sense, unless a command says otherwise.',
  ]
  for (const entry of commands) describe(lines, await entry.load(), `plumb ${entry.name}`, '##')
  return `${lines.join('\n')}\n`
}

function describe(lines, command, path, heading) {
  lines.push('', `${heading} ${path}`, '', command.summary)
  if (command.run) lines.push('', '```', `${path} [options]${command.usage ? ` ${command.usage}` : ''}`, '```')
  if (command.description && command.description !== command.summary) lines.push('', ...prose(command.description))
  if (command.options?.length) {
    lines.push('', '| option | meaning |', '|---|---|')
    for (const { flags, doc, default: standard } of command.options)
      lines.push(
        `| \`${flags.replaceAll('|', '\\|')}\` | ${doc.replaceAll('|', '\\|')}${standard === undefined || standard === false ? '' : ` Default: \`${standard}\`.`} |`,
      )
  }
  for (const sub of command.commands ?? []) describe(lines, sub, `${path} ${sub.name}`, `${heading}#`)
}

/** Indented lines of a description are examples. */
function prose(description) {
  let example = false
  return description
    .split('\n')
    .flatMap((line) => {
      const isExample = /^ {2}/.test(line) || (example && line === '')
      const fence = isExample === example ? [] : ['```']
      example = isExample
      return [...fence, isExample ? line.replace(/^ {2}/, '') : line]
    })
    .concat(example ? ['```'] : [])
}
