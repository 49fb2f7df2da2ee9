import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import type { UsedNames } from '../../code-index/used-names.ts'
import { CodeDefinitions } from './code-definitions.ts'
import { CodeTypeNames } from './code-type-names.ts'
import { TemplateVariables } from './template-variables.ts'
import { TopScope } from './top-scope.ts'

/** The code around a checked file, which does not change during a check. Each part is computed on first use. */
export class CheckedCode {
  readonly workspace: CodeWorkspace
  readonly definitions: CodeDefinitions
  readonly types: CodeTypeNames
  readonly topScope: TopScope
  readonly templates: TemplateVariables

  /** `topScopeVariables`: variables that an external node classifier sets. */
  constructor(workspace: CodeWorkspace, topScopeVariables: readonly string[] = []) {
    this.workspace = workspace
    this.definitions = new CodeDefinitions(workspace)
    this.types = new CodeTypeNames(this.definitions)
    this.topScope = new TopScope(workspace, topScopeVariables)
    this.templates = new TemplateVariables(this)
  }

  /** The names that all files use. */
  get uses(): UsedNames {
    return this.workspace.index.names
  }
}
