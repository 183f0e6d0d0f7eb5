/** Codes of the command line itself, beside those of the service, of the client and of the tools' own commands. */
import { says } from '../domain/codes/code.ts';
import type { CodeGroup, CodeWords } from '../domain/codes/code.ts';

const WORDS = {
  USAGE: says(
    'The command line was not understood: a command, an argument or an option is missing, unknown or wrong.',
    'Add --help to the command; it tells what the command takes.',
  ),
  USAGE_INPUT: says(
    'A file that the command names is not there, cannot be read, or is of a kind that the command does not take.',
    'Check the name, which is read from the working folder, and the end of the name.',
  ),
  USAGE_REQUEST: says(
    'The file of the request cannot be read, or is no JSON object.',
    'Give a file with the body of POST /jobs/submit, or - to read standard input.',
  ),
  USAGE_URL: says(
    'The address of the service is none.',
    'Give an address with its scheme, such as https://dockyard.example.org, without user, password or query.',
  ),
  USAGE_KEY: says(
    'The text is no API key.',
    'Copy the key whole; it begins with svc_live_ or svc_test_ and has no blanks.',
  ),
  USAGE_MISSING: says(
    'The command needs something that it would ask a person for, and nobody sits at the terminal.',
    'Give it by the option that the message names.',
  ),
  USAGE_UNKNOWN_WORD: says(
    'No field of the API and no code is called so.',
    'Take one of the words that the message suggests, or list all codes with explain --list.',
  ),
  USAGE_UNKNOWN_PACK: says(
    'There is no pack of this name.',
    'Take one of the names that the message lists, as tools list does.',
  ),
  NOT_LOGGED_IN: says(
    'The command needs a service and a key, and knows of none.',
    'Log in with dockyard login, or set DOCKYARD_API_URL and DOCKYARD_API_KEY.',
  ),
  NOT_SIGNED_IN: says(
    'The command acts for a person, and no browser has let it do so, or too long ago.',
    'Sign in with dockyard login --browser. Scripts work with API keys.',
  ),
  LOGIN_REFUSED: says(
    'The person at the browser has refused to let the command line in.',
    'Begin again with dockyard login --browser if it was a mistake.',
  ),
  LOGIN_TIMED_OUT: says(
    'The page of the login was not answered within five minutes.',
    'Begin again with dockyard login --browser, and open the address that it shows.',
  ),
  PRICE_ABOVE_MAXIMUM: says(
    'The job may cost more than --max-price allows, so nothing was submitted.',
    'Raise --max-price, or make the job smaller.',
  ),
  CONFIRMATION_REQUIRED: says(
    'A price or a change for everyone has to be agreed to, and nobody sits at the terminal, so nothing was done.',
    'Add --yes to agree; to a price best with --max-price.',
  ),
  DECLINED: says(
    'The question whether to spend the price, or to make the change, was answered with no, so nothing was done.',
    'Run the command again when you want it.',
  ),
  NO_TERMINAL: says(
    'A question could not be asked, because nobody sits at the terminal.',
    'Run the command in a terminal, or give the answer by an option.',
  ),
  INTERRUPTED: says(
    'The command was ended by Ctrl-C or a signal; the message says what is kept.',
    'Run the same command again to go on. A job that was submitted goes on by itself.',
  ),
  LISTENER_RUNNING: says(
    'Another dockyard listen forwards the events of this account to the same address.',
    'Stop the other one, or forward to another address.',
  ),
  RECEIPT_KEY_CHANGED: says(
    'The service tells another public key of receipts under an id that this machine knows.',
    'Ask the operator of the service; if the new key is right, remove the file that the message names.',
  ),
  UNSAFE_PATH: says(
    'A link in the folder of the download leads out of this folder, so nothing was written there.',
    'Remove the link, or download into another folder.',
  ),
  NOT_CONFIGURED: says(
    'A command for operators found neither a stack on this machine nor the settings of a service.',
    'Start a stack with npm start, or set DOCKYARD_DATABASE_URL and the other settings of docs/settings.md.',
  ),
  WRONG_SETTINGS: says(
    'A setting is missing or has a value that it cannot have; the message names the setting.',
    'Correct the variable; docs/settings.md says what each of them takes.',
  ),
  NOT_MIGRATED: says(
    'The database has the tables of another version.',
    'Bring the database up to date with dockyard migrate.',
  ),
  NOT_PAUSABLE: says(
    'The job is ending or has ended, so there is nothing to pause.',
    'Look at the job with dockyard admin jobs list.',
  ),
  NO_DEPLOYMENT: says(
    'Control workers name no build here, so there is one build and nothing to choose.',
    'Give control workers DOCKYARD_BUILD_ID where several builds are to run beside each other.',
  ),
  BUILD_NOT_READY: says(
    'New work cannot go to this build, because its control workers are not there or do not serve every queue.',
    'Start control workers of the build and repeat the command, or let the command wait for them with --wait.',
  ),
  DEPLOYMENT_CHANGED: says(
    'Somebody else has changed which build is current, or the build has just lost workers, so nothing was changed.',
    'Look with dockyard admin deployment show, and repeat the command if it is still right.',
  ),
  PACK_REFUSED: says(
    'The files of the pack are not the pinned ones, so nothing was installed.',
    'Fetch the files again from where the documentation of packs says, and give their folder with --from.',
  ),
} as const satisfies Readonly<Record<string, CodeWords>>;

/** Every code of the command line. */
export const COMMAND_GROUP: CodeGroup = {
  kind: 'error of the client',
  tool: null,
  title: 'Errors of the command line',
  note: 'The program `dockyard` gives these by itself, with an exit code above 0; with --json as code of the error.',
  codes: WORDS,
};
