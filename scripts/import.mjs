import { runClientCommand } from './client-command.mjs'

await runClientCommand('importCommand')
