import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { CodeDefinitions } from './code-definitions.ts'
import { CodeTypeNames } from './code-type-names.ts'
import { CodeUses } from './code-uses.ts'
import { RubyCode } from './ruby-code.ts'
import { TemplateVariables } from './template-variables.ts'
import { TopScope } from './top-scope.ts'

/** The code around a checked file. Each part is computed on first use, and kept. */
export class CheckedCode {
  readonly workspace: CodeWorkspace
  readonly ruby: RubyCode
  readonly definitions: CodeDefinitions
  readonly types: CodeTypeNames
  readonly topScope: TopScope
  readonly uses: CodeUses
  readonly templates: TemplateVariables

  /** `topScopeVariables`: variables that an external node classifier sets. */
  constructor(workspace: CodeWorkspace, topScopeVariables: readonly string[] = []) {
    this.workspace = workspace
    this.ruby = new RubyCode(workspace)
    this.definitions = new CodeDefinitions(workspace, this.ruby)
    this.types = new CodeTypeNames(this.definitions)
    this.topScope = new TopScope(workspace, topScopeVariables)
    this.uses = new CodeUses(workspace)
    this.templates = new TemplateVariables(this)
  }
}
