import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { policyIssues } from './issues.ts'
import type { Exception, Policies, PolicyRule } from './policy.ts'
import { parsePolicies } from './policy-file.ts'

/** The folder of an environment that contains its policies. */
export const policyFolder = 'policies'

/** Returns true for the path of a policy file in an environment. */
export function isPolicyFile(path: string): boolean {
  const [folder, name, ...below] = path.split('/')
  return folder === policyFolder && name !== undefined && below.length === 0 && isPolicyName(name)
}

function isPolicyName(name: string): boolean {
  return /\.ya?ml$/.test(name) && !name.startsWith('.')
}

/** Reads all policy files in a folder, ordered by name; empty if the folder is missing. Throws POLICY_…. */
export function readPolicies(tree: CodeTree, folder: string = policyFolder): Policies {
  const shown = folder === '' ? tree.root : `${tree.root}/${folder}`
  const checkBound = (what: string, count: number, { bound }: { readonly bound: number }) => {
    if (count > bound) throwIssue(policyIssues.POLICIES_TOO_MANY, { where: shown, what, bound })
  }
  const names = tree.list(folder).filter(isPolicyName)
  checkBound('files', names.length, budgets.policy.files)
  const rules = new Map<string, PolicyRule>()
  const exceptions: { readonly file: string; readonly exception: Exception }[] = []
  for (const name of names) {
    const file = `${shown}/${name}`
    const found = readPolicyFile(tree, folder === '' ? name : `${folder}/${name}`, file)
    for (const rule of found.rules) {
      const other = rules.get(rule.name)
      if (other) throwIssue(policyIssues.POLICY_TWICE, { rule: rule.name, file, other: other.file })
      rules.set(rule.name, rule)
    }
    for (const exception of found.exceptions) exceptions.push({ file, exception })
    checkBound('rules', rules.size, budgets.policy.rules)
    checkBound('exceptions', exceptions.length, budgets.policy.exceptions)
  }
  for (const { file, exception } of exceptions)
    if (!rules.has(exception.rule))
      throwIssue(policyIssues.POLICY_NO_SUCH_RULE, { rule: exception.rule, file, known: [...rules.keys()] })
  return { rules: [...rules.values()], exceptions: exceptions.map(({ exception }) => exception) }
}

const none: Policies = { rules: [], exceptions: [] }

function readPolicyFile(tree: CodeTree, path: string, file: string): Policies {
  const bytes = tree.read(path)
  if (!bytes) return none
  const { bound } = budgets.policy.fileBytes
  if (bytes.length > bound) throwIssue(policyIssues.POLICIES_TOO_MANY, { where: file, what: 'bytes', bound })
  return parsePolicies(tree.readText(path)!, file)
}
