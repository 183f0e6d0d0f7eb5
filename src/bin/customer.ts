#!/usr/bin/env node
// The command line `dockyard` for customers, as it is packed (`npm run cli:pack`).
import { runCustomerCommandLine } from '../cli/customer-program.ts';
import { runProcess } from './process/command-line.ts';

await runProcess(runCustomerCommandLine);
