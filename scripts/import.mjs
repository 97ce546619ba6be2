import { runCommand } from './command-line.mjs'

await runCommand('importCommand')
