import type { Backend } from './backend.ts'
import { hoconData } from './backends/hocon-data.ts'
import { jsonData } from './backends/json-data.ts'
import { yamlData } from './backends/yaml-data.ts'

/** The built-in backends by name. */
export const backends: ReadonlyMap<string, Backend> = new Map(
  [yamlData, jsonData, hoconData].map((backend) => [backend.name, backend]),
)
