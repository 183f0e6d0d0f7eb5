/** Codes of renders: everything that is wrong with a scene is told by its path, before a frame is paid. */
import { says } from '../../domain/codes/code.ts';
import type { CodeWords } from '../../domain/codes/code.ts';
import type { ToolCodes } from '../tool.ts';

type Words = Readonly<Record<string, CodeWords>>;

/** Why a preparation fails. */
const SCENE_FAILURES = {
  SCENE_UNREADABLE: says(
    'Blender cannot read the scene file: it is cut off, damaged, no .blend file, or has no scene or view layer of the name that was asked for.',
    'Open the file in Blender, save it under a new name, and upload that one whole.',
  ),
  SCENE_TOO_NEW: says(
    'The scene, or a library that it links, was written by a later version of Blender than the one that draws it, which would draw other pixels.',
    'Save what the message names in a version of Blender that GET /api/v1/simulators tells, name a later one as software, or ask the operator for it.',
  ),
  ASSET_MISSING: says(
    'A file that the scene names is not in its package; the message has its path and who names it.',
    'Upload the file under its path with the projectId of the scene, or allow its absence with parameters.missingAssets.',
  ),
  ASSET_UNREADABLE: says(
    'A picture that the scene names is in its package, and Blender cannot read it, so it would be drawn in pink; the message has its path and who names it.',
    'Open the picture in Blender, save it anew and upload it whole, or allow it with parameters.missingAssets.',
  ),
  ASSET_OUTSIDE_PACKAGE: says(
    'The scene names a file by an absolute path, or by one that leads out of its package, and no attachment has the name.',
    'Make all paths relative in Blender (File, External Data), or send the file among attachments.',
  ),
  COLOR_SPACE_MISSING: says(
    'The scene uses a colour space, view or look that the OpenColorIO configuration does not have, or the one in parameters.ocio is not there or cannot be read. Blender would quietly take another.',
    'Put your configuration with its tables into the package, and name it in parameters.ocio.',
  ),
  CAMERA_MISSING: says(
    'A frame has no camera, or one that was deleted from the scene, or the camera that was asked for is not there.',
    'Give the scene a camera, bind those of its markers anew, or name one in parameters.camera.',
  ),
  ENGINE_UNSUPPORTED: says(
    'The scene is drawn by an engine, or in a way, that has no place on machines without a screen.',
    'Choose Cycles as the engine of the scene, and one view at a time.',
  ),
  RESOLUTION_TOO_LARGE: says(
    'A side of the picture has more than 16,384 pixels.',
    'Take a smaller resolutionPercent, or draw the picture in parts with the border of the render.',
  ),
  GPU_UNUSABLE: says(
    'The frames were to be drawn on a GPU, and Cycles finds none on the machine, or none that it can use with the driver there.',
    'Draw with parameters.device: "cpu", or ask the operator, who finds in `dockyard admin tools` what the driver tells.',
  ),
  SCENE_NEEDS_MEMORY: says(
    'By the sizes that its pictures tell, or by what the first small picture took, a frame would need more memory than a task may use.',
    'Ask for more with parameters.memoryGiB, or take smaller textures, fewer subdivisions, fewer passes or a smaller resolutionPercent.',
  ),
} as const satisfies Words;

/** Warnings of renders. */
const SCENE_WARNINGS = {
  FRAME_DEFAULTED: says(
    'The request names no frame, so frame 1 alone is drawn; the message has the range of the scene.',
    'Send frameStart and frameEnd, or parameters.frames.',
  ),
  SCRIPTS_DISABLED: says(
    'The scene has scripts or drivers that run Python, and none of them runs here.',
    'Bake what they do into keyframes (Object, Animation, Bake Action), or write drivers as simple expressions.',
  ),
  SIMULATION_NOT_BAKED: says(
    'A simulation of the scene has no baked cache, and each frame is drawn by itself.',
    'Bake it to disk in Blender, save the scene, and upload the cache with it.',
  ),
  SETTINGS_IGNORED: says(
    'Settings of the scene were left out, because they write elsewhere or make each run differ.',
    'Nothing is to be done where the message names nothing that you need.',
  ),
} as const satisfies Words;

/** All of it, as documents show it. */
export const RENDER_CODES: ToolCodes = {
  refusals: {},
  failures: [
    {
      title: 'Failures of renders',
      note: 'The job fails in its preparation, before a frame is drawn, and nothing is charged. A frame that finds no GPU later fails alone.',
      codes: SCENE_FAILURES,
    },
  ],
  warnings: [
    {
      title: 'Warnings of renders',
      note: 'The frames are drawn all the same; with parameters.missingAssets the codes of missing files come as warnings, too.',
      codes: SCENE_WARNINGS,
    },
  ],
  reports: [],
  advice: {
    ENGINE_TIMEOUT: 'Tell the minutes of a frame in metadata.renderTimeMinutes, or take fewer samples.',
    ENGINE_OUT_OF_MEMORY: 'Take smaller textures, fewer subdivisions or a smaller resolutionPercent.',
  },
};
