#!/usr/bin/env node
import { runProcess } from './cli/process.ts'

process.exitCode = await runProcess()
