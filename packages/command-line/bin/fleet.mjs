#!/usr/bin/env node
import { runCommand } from '../../../scripts/command-line.mjs'

await runCommand('fleetCommand')
