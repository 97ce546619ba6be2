#!/usr/bin/env node
import { runClientCommand } from '../../../scripts/client-command.mjs'

await runClientCommand('fleetCommand')
