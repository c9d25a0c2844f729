"""Wordings of the document tools."""

from ebf_generators.phrasing.wordings import Wordings, register_wordings

register_wordings(
    "read_document",
    ("document",),
    train=Wordings(
        do=(
            "read the text of {document} to me",
            "read {document} from start to end and tell me what the document says",
            "open {document} in the document store for me",
            "show me the pages of {document}",
            "look up {document} among our documents and tell me what it says",
            "summarize the pages of {document} for me",
        ),
        say=(
            "What does the text of {document} say?",
            "I would like to see the pages of {document}.",
            "What is written on the pages of {document}?",
            "I do not know what is in {document}, please open it in the document store.",
            "I need a summary of the text of {document}.",
        ),
    ),
    val=Wordings(
        do=(
            "read {document} in the file store and give me the main points",
            "read me the paragraphs of {document}",
            "bring up the full wording of {document}",
            "load {document} from the file store and display it",
            "sum up the paragraphs of {document}",
            "extract the main points from the wording of {document}",
        ),
        say=(
            "Which points are made in the paragraphs of {document}?",
            "Can I see the full wording of {document}?",
            "The exact wording of {document} is unknown to me, please display it.",
            "The main points from the paragraphs of {document} would be useful to me.",
        ),
    ),
    test=Wordings(
        do=(
            "read every section of {document} and give me the gist",
            "go over the sections of {document} and brief me on them",
            "check the passages in {document} and report what they state",
            "let me view the body text of {document}",
            "retrieve {document} from the document library and quote it to me",
            "read the passages in {document} for me",
        ),
        say=(
            "I am curious how the sections of {document} put it.",
            "A gist of the body text of {document} is all I am after.",
            "{document} sits in the document library, and I wish to have it quoted to me.",
            "Which statements do the passages in {document} contain?",
        ),
    ),
)

register_wordings(
    "draft_document",
    ("folder",),
    train=Wordings(
        do=(
            "draft a document in {folder}",
            "draft a one-page summary as a new document in {folder}",
            "start a fresh document in {folder}",
            "create a blank document in {folder}",
            "write the meeting notes into a fresh document in {folder}",
            "set up a new document with an outline in {folder}",
        ),
        say=(
            "There should be a new document with the meeting notes in {folder}.",
            "{folder} needs a fresh document for the checklist.",
            "I want a blank document to work on in {folder}.",
            "We lack a document with the checklist, so please create one in {folder}.",
            "Can you create a document with an outline in {folder}?",
        ),
    ),
    val=Wordings(
        do=(
            "draft a memo as a new file under {folder}",
            "draft a proposal and keep that new file under {folder}",
            "add a newly created file for the agenda to {folder}",
            "put a brand-new file with the key points under {folder}",
            "begin a new file under {folder}",
            "make an empty file for the guidelines under {folder}",
        ),
        say=(
            "A brand-new file with the agenda belongs under {folder}.",
            "I am missing a memo, so begin a file for it under {folder}.",
            "It would be handy to have an empty file to fill in under {folder}.",
            "Under {folder}, I want a newly created file for the guidelines.",
        ),
    ),
    test=Wordings(
        do=(
            "draft a briefing paper inside {folder}",
            "draft a how-to guide from scratch inside {folder}",
            "compose a rough write-up and store it within {folder}",
            "produce a preliminary paper and save it to {folder}",
            "compose a working paper from scratch within {folder}",
            "put together a rough briefing paper and save it within {folder}",
        ),
        say=(
            "I could use a preliminary paper saved to {folder}.",
            "From scratch, please: a rough write-up of the results, stored within {folder}.",
            "Somebody has to compose a briefing paper within {folder}, and I picked you.",
            "A how-to guide is called for, so compose one from scratch inside {folder}.",
        ),
    ),
)

register_wordings(
    "draft_document",
    ("folder", "project"),
    train=Wordings(
        do=(
            "draft a document for {project} and put it in {folder}",
            "draft a plan for {project} as a new document in {folder}",
            "start a fresh document about {project} and put it in {folder}",
            "create a status document for {project} and keep it in {folder}",
            "create a blank document that belongs to {project} in {folder}",
            "write the meeting notes for {project} into a fresh document in {folder}",
        ),
        say=(
            "In {folder}, there should be a new document about {project}.",
            "{project} needs a fresh document, to be put in {folder}.",
            "I want a blank document for {project}, kept in {folder}.",
            "We lack a plan document for {project}, so please create one in {folder}.",
        ),
    ),
    val=Wordings(
        do=(
            "draft a memo on {project} as a new file under {folder}",
            "draft a new file linked to {project} and keep it under {folder}",
            "begin a new file under {folder}, to be linked to {project}",
            "put a brand-new file under {folder}, connected with {project}",
            "under {folder}, make a new file with the key points of {project}",
            "add to {folder} a newly created file covering {project}",
        ),
        say=(
            "Under {folder}, a brand-new file is wanted for {project}.",
            "I am missing a memo on {project}, so begin a new file under {folder}.",
            "Could there be a newly created memo on {project}, kept under {folder}?",
            "It would be handy to have an empty file linked to {project}, under {folder}.",
        ),
    ),
    test=Wordings(
        do=(
            "draft a briefing paper concerning {project}, inside {folder}",
            "draft, from scratch and within {folder}, a how-to guide for {project}",
            "compose a rough write-up on behalf of {project}, stored within {folder}",
            "produce a preliminary paper for {project}, saved to {folder}",
            "put together a working paper concerning {project} and save it to {folder}",
        ),
        say=(
            "A briefing paper for {project} is called for, so compose one inside {folder}.",
            "From scratch, please: a working paper concerning {project}, stored within {folder}.",
            "I could use a preliminary paper pertaining to {project}, saved to {folder}.",
            "For the benefit of {project}, a rough write-up ought to be composed within {folder}.",
        ),
    ),
)

register_wordings(
    "share_document",
    ("document", "recipient"),
    train=Wordings(
        do=(
            "share {document} with {recipient}",
            "share access to {document} with {recipient}",
            "give access to {document} to {recipient}",
            "make it possible for {recipient} to open {document}",
            "add {recipient} to the people with access to {document}",
            "set up access to {document} for {recipient}",
        ),
        say=(
            "I want {recipient} to be able to open {document}.",
            "Access to {document} is needed by {recipient}, please set it up.",
            "There is no access to {document} for {recipient}, please fix that.",
            "Is it possible to give access to {document} to {recipient}?",
            "It is fine by me for {recipient} to open {document}, so set up the access.",
        ),
    ),
    val=Wordings(
        do=(
            "have {document} shared with {recipient}",
            "share viewing rights on {document} with {recipient}",
            "grant viewing rights on {document} to {recipient}",
            "put {recipient} on the list of viewers for {document}",
            "extend the viewing permissions on {document} to {recipient}",
            "make {document} visible to {recipient} in the file store",
        ),
        say=(
            "The permissions on {document} do not include {recipient}, which should change.",
            "Viewing rights on {document} are missing for {recipient}, please grant them.",
            "I need {document} in the file store to be visible to {recipient}.",
            "How about a viewing permission on {document} for {recipient}?",
        ),
    ),
    test=Wordings(
        do=(
            "share the library entry of {document} with {recipient}",
            "share reading permission for {document} with {recipient}",
            "unlock {document} in the document library for {recipient}",
            "admit {recipient} to the readers of {document}",
            "authorize {recipient} to consult {document} in the document library",
            "widen the circle of readers of {document} to take in {recipient}",
        ),
        say=(
            "{document} is locked for {recipient}, and it ought not to be.",
            "The circle of readers of {document} ought to take in {recipient}.",
            "I have no objection to {recipient} as a reader of {document}, so unlock it.",
            "Might I have {recipient} admitted to the readers of {document}?",
        ),
    ),
)

register_wordings(
    "update_document",
    ("document",),
    train=Wordings(
        do=(
            "update the text of {document}",
            "update {document} with the figures from the call",
            "add the figures from the call to the text of {document}",
            "correct the typos in {document}",
            "edit the summary on the first page of {document}",
            "change the document title of {document}",
        ),
        say=(
            "The figures from the call should be added to the text of {document}.",
            "There are typos in {document}, please correct them.",
            "The text of {document} is wrong about the price, please edit it.",
            "I want a shorter summary on the first page of {document}.",
            "Can you change the summary in {document}?",
        ),
    ),
    val=Wordings(
        do=(
            "update the wording of {document}",
            "update the table of numbers in {document}",
            "revise the introduction of {document}",
            "insert the survey results as a paragraph in {document}",
            "rewrite the opening paragraph of {document}",
            "work the agreed terms into the wording of {document}",
        ),
        say=(
            "The opening paragraph of {document} needs a rewrite.",
            "The survey results are missing from the paragraphs of {document}, please insert them.",
            "The wording of {document} is too harsh, so please revise it.",
            "Can you take on a revision of the introduction in {document}?",
        ),
    ),
    test=Wordings(
        do=(
            "update the body text of {document} to match our decision",
            "update the section on method in {document}",
            "amend the conclusion of {document}",
            "rework the section on risks in {document}",
            "polish the style of the passages in {document}",
            "append a list of risks to the body text of {document}",
        ),
        say=(
            "The section on risks in {document} calls for a rework.",
            "A list of risks ought to be appended to the body text of {document}.",
            "The conclusion of {document} contradicts our decision, hence amend it.",
            "In the body text of {document} there are gaps, and I expect you to fill them.",
        ),
    ),
)

register_wordings(
    "move_document",
    ("document", "folder"),
    train=Wordings(
        do=(
            "move {document} to {folder}",
            "move {document} over into {folder}",
            "file {document} in {folder}",
            "change the folder of {document} to {folder}",
            "put {document} away in {folder}",
            "take {document} out of its folder and put it in {folder}",
        ),
        say=(
            "{document} is in the wrong folder and should go into {folder}.",
            "The folder for {document} should be {folder}.",
            "I would rather have {document} filed in {folder}.",
            "Can you put {document} into its proper folder, namely {folder}?",
        ),
    ),
    val=Wordings(
        do=(
            "have {document} moved under {folder}",
            "move {document} to a better storage location, under {folder}",
            "relocate {document} to {folder}",
            "set the storage location of {document} to {folder}",
            "drag {document} over to {folder}",
            "reorganize our files by dragging {document} under {folder}",
        ),
        say=(
            "The storage location of {document} has to be {folder}.",
            "{document} is stored where nobody looks, so relocate it to {folder}.",
            "Relocation of {document} to {folder} would help everybody.",
            "How about {folder} as the storage location of {document}?",
        ),
    ),
    test=Wordings(
        do=(
            "tidy the library by moving {document} to {folder}",
            "move {document} from its directory across to {folder}",
            "shift {document} within the library to {folder}",
            "transfer {document} from its directory to {folder}",
            "place {document} inside {folder} rather than where it sits",
            "reshelve {document} within {folder}",
        ),
        say=(
            "{document} sits in an unsuitable directory, and {folder} is where I want it.",
            "I expected to find {document} inside {folder}, so transfer it there.",
            "Its directory does not suit {document}, so shift it to {folder}.",
            "As for {document}, its place ought to be inside {folder}.",
        ),
    ),
)

register_wordings(
    "delete_document",
    ("document",),
    train=Wordings(
        do=(
            "delete {document} from the document store",
            "delete {document} from our documents for good",
            "erase {document} from the document store",
            "remove {document} from our documents for good",
            "throw {document} out of the document store",
            "get rid of {document} in the document store",
        ),
        say=(
            "We do not need {document} among our documents, so it can go for good.",
            "{document} should not exist in the document store, please remove it.",
            "Nobody needs {document} in the document store, so erase it.",
            "Can you get rid of {document} among our documents?",
        ),
    ),
    val=Wordings(
        do=(
            "delete {document} from our files with no way back",
            "have {document} deleted from the file store",
            "wipe {document} from the file store",
            "discard {document} from our files",
            "trash {document} in the file store, with no way back",
        ),
        say=(
            "I want {document} wiped from the file store.",
            "{document} only clutters our files, so discard it with no way back.",
            "Please see that {document} vanishes from our files.",
            "Our files would be better without {document}, so trash it.",
        ),
    ),
    test=Wordings(
        do=(
            "delete {document} irrevocably in the document library",
            "delete every trace of {document} in the document library",
            "purge {document} from the document library",
            "destroy {document} as waste paper, beyond recovery",
            "expunge {document} from the library of papers",
        ),
        say=(
            "{document} has no business in the document library, so purge it.",
            "No trace of {document} is to remain in the document library.",
            "The document library shall be rid of {document}, beyond recovery.",
            "I regard {document} as waste paper, so destroy it irrevocably.",
        ),
    ),
)
