// Kinds of work, by name: each does one thing after the other, and writes down what was acknowledged.
import { deploys } from './deploys.js'
import { pushes } from './pushes.js'
import { reports } from './reports.js'
import { revocations } from './revocations.js'
import { signings } from './signings.js'

export const kinds = { pushes, deploys, signings, revocations, reports }
